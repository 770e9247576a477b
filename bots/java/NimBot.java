// Plays Nim by a strategy of its own: yours, once you have changed chooseMove() below.
//
// Java 16 or later, nothing but its library. It reads positions of `nim:` heaps (numbers only),
// normal and misere, follows the moves itself, and reads lines while chooseMove() thinks.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class NimBot {
    /** `heap` counts from 0; `left` is how many stones to leave in it. */
    record Move(int heap, long left) {}

    // -----------------------------------------------------------------------------------------
    // Your idea goes here.
    //
    // `heaps` holds numbers such as 3, 4, 5. Choose a heap and how many stones to leave in it:
    // return new Move(1, 0) to clear the 4 (heaps count from 0 here). There is at least one
    // stone. The player who takes the last stone wins; under misere that player loses.
    // Choose at random by `chance`, so that a game can be repeated. If you think for long,
    // ask timeIsUp() now and then, and return what you have once it says true.

    /** Leaves two equal heaps if it can, else takes one stone from any heap. */
    static Move chooseMove(long[] heaps, boolean misere, Random chance) {
        List<Integer> standing = new ArrayList<>();
        for (int i = 0; i < heaps.length; i++) {
            if (heaps[i] > 0) standing.add(i);
        }
        if (standing.size() == 1) {
            int only = standing.get(0);
            return new Move(only, misere && heaps[only] > 1 ? 1 : 0);
        }
        if (standing.size() == 2) {
            int first = standing.get(0), second = standing.get(1);
            if (heaps[first] < heaps[second]) return new Move(second, heaps[first]);
            if (heaps[first] > heaps[second]) return new Move(first, heaps[second]);
        }
        if (standing.size() == 3) {
            for (int i = 0; i < 3; i++) {
                int first = standing.get((i + 1) % 3), second = standing.get((i + 2) % 3);
                if (heaps[first] == heaps[second]) return new Move(standing.get(i), 0);
            }
        }
        int heap = standing.get(chance.nextInt(standing.size()));
        return new Move(heap, heaps[heap] - 1);
    }

    // -----------------------------------------------------------------------------------------
    // From here on: the protocol, which you need not change.

    // ---- positions and moves ----

    record Position(long[] heaps, boolean misere, int movesMade) {}

    static final Position START = new Position(new long[] {1, 3, 5, 7}, false, 0);

    /** What is not played, or cannot be read. */
    static class Refused extends Exception {
        Refused(String why, String read) {
            // An answer must fit a line, too.
            super(why + ", read '" + read.substring(0, Math.min(60, read.length())) + "'");
        }
    }

    static long readNumber(String text) throws Refused {
        try {
            if (text.matches("[0-9]+")) return Long.parseLong(text);
        } catch (NumberFormatException tooLarge) {
            // refused like other text
        }
        throw new Refused("expected a number", text);
    }

    /** "nim:3,4+5" gives 3, 4, 5. */
    static long[] readHeaps(String sum) throws Refused {
        List<Long> heaps = new ArrayList<>();
        for (String component : sum.split("\\+", -1)) {
            int colon = component.lastIndexOf(':');
            if (colon >= 0 && !component.substring(0, colon).equals("nim")) {
                throw new Refused("I play nim only", component);
            }
            for (String number : component.substring(colon + 1).split(",", -1)) {
                heaps.add(readNumber(number));
            }
        }
        return heaps.stream().mapToLong(Long::longValue).toArray();
    }

    /** The position after the moves of `words` from number `index` on. */
    static Position play(Position before, List<String> words, int index) throws Refused {
        long[] heaps = before.heaps.clone();
        for (String move : words.subList(index, words.size())) {
            // "2=1": heap number 2, counted from 1, becomes 1.
            int equals = move.indexOf('=');
            if (equals < 0) throw new Refused("expected a move such as 2=1", move);
            long number = readNumber(move.substring(0, equals));
            long left = readNumber(move.substring(equals + 1));
            if (number < 1 || number > heaps.length || left >= heaps[(int) number - 1]) {
                throw new Refused("expected a legal move", move);
            }
            heaps[(int) number - 1] = left;
        }
        return new Position(heaps, before.misere, before.movesMade + words.size() - index);
    }

    /** Reads a `position` line. */
    static Position readPosition(List<String> words) throws Refused {
        int moves = words.indexOf("moves");
        int end = moves < 0 ? words.size() : moves;
        Position position = START;
        if (end >= 3 && end <= 4 && words.get(1).equals("fen")) {
            String convention = end == 4 ? words.get(3) : "normal";
            boolean misere = convention.equals("misere");
            if (!misere && !convention.equals("normal")) {
                throw new Refused("expected misere", convention);
            }
            position = new Position(readHeaps(words.get(2)), misere, 0);
        } else if (end != 2 || !words.get(1).equals("startpos")) {
            throw new Refused("expected position startpos or position fen nim:3,4,5 [misere]",
                              end > 2 ? words.get(2) : "");
        }
        return moves < 0 ? position : play(position, words, moves + 1);
    }

    // ---- time, in milliseconds ----

    static final double FOREVER = Double.POSITIVE_INFINITY;

    static volatile boolean stopped = false;
    static volatile double deadline = 0;

    static double now() {
        return System.nanoTime() / 1e6;
    }

    static boolean timeIsUp() {
        return stopped || now() >= deadline;
    }

    /** The number after `name`, or `otherwise`. */
    static double limit(List<String> words, String name, double otherwise) {
        int index = words.indexOf(name);
        try {
            if (index >= 0 && index + 1 < words.size()) {
                return Double.parseDouble(words.get(index + 1));
            }
        } catch (NumberFormatException unreadable) {
            // as if it were missing
        }
        return otherwise;
    }

    /** How long to think after this `go`; `player` is "p1" or "p2". */
    static double timeFor(List<String> words, String player) {
        if (words.contains("infinite")) return FOREVER;
        double left = limit(words, player + "time", -1);
        if (left < 0) return 0.8 * limit(words, "movetime", 1000);
        return Math.min(left / 2, left / 20 + limit(words, player + "inc", 0) / 2);
    }

    // ---- the conversation: each method that changes something is synchronized ----

    private Position position = START;
    private final Random chance = new Random(0);
    private final ArrayDeque<List<String>> waiting = new ArrayDeque<>();  // while it thinks
    private boolean thinking = false;
    private boolean inputEnded = false;

    static void say(String line) {
        System.out.println(line);
        System.out.flush();  // unflushed lines never leave: the arena would wait in vain
    }

    private synchronized void hear(List<String> words) {
        if (words.get(0).equals("quit")) {
            Runtime.getRuntime().halt(0);  // whatever the other thread does
        } else if (words.get(0).equals("isready")) {
            say("readyok");
        } else if (words.get(0).equals("stop")) {
            stopped = true;
            notifyAll();
        } else if (thinking) {
            waiting.add(words);
        } else {
            carryOut(words);
        }
    }

    private synchronized void carryOut(List<String> words) {
        try {
            switch (words.get(0)) {
                case "ugi":
                    say("id name NimBot\nid author the Nimarena authors");
                    say("option name Seed type spin default 0 min 0 max 9223372036854775807");
                    say("ugiok");
                    break;
                case "setoption":
                    if (words.size() == 5 && words.get(2).equals("Seed")) {
                        chance.setSeed(readNumber(words.get(4)));
                    }
                    break;
                case "position":
                    position = readPosition(words);
                    break;
                case "moves":
                    position = play(position, words, 1);
                    break;
                case "go":
                    startThinking(words);
                    break;
                default:  // is ignored
            }
        } catch (Refused refused) {
            say("info string error " + refused.getMessage());
        }
    }

    private synchronized void startThinking(List<String> words) {
        int moves = words.indexOf("searchmoves");
        List<String> limits = words.subList(0, moves < 0 ? words.size() : moves);
        List<String> allowed = moves < 0 ? List.of() : words.subList(moves + 1, words.size());
        deadline = now() + timeFor(limits, position.movesMade % 2 == 0 ? "p1" : "p2");
        stopped = inputEnded && deadline == FOREVER;
        thinking = true;
        new Thread(() -> answer(bestMove(allowed))).start();
    }

    /** The chosen move, or one that `searchmoves` lists if it does not list this one. */
    private String bestMove(List<String> allowed) {
        if (Arrays.stream(position.heaps).allMatch(stones -> stones == 0)) return "0000";
        Move chosen = chooseMove(position.heaps.clone(), position.misere, chance);
        String move = (chosen.heap + 1) + "=" + chosen.left;
        return allowed.isEmpty() || allowed.contains(move) ? move : allowed.get(0);
    }

    private synchronized void answer(String move) {
        while (deadline == FOREVER && !stopped) {
            try {
                wait();
            } catch (InterruptedException nobodyDoes) {
                break;
            }
        }
        say("bestmove " + move);
        thinking = false;
        while (!thinking && !waiting.isEmpty()) carryOut(waiting.remove());
    }

    private synchronized void endInput() {
        inputEnded = true;
        if (deadline == FOREVER) stopped = true;
        notifyAll();  // Java ends with the last thread
    }

    public static void main(String[] arguments) throws IOException {
        // An error of chooseMove() ends the bot, not only the thread.
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        NimBot bot = new NimBot();
        var lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            line = line.trim();
            if (!line.isEmpty()) bot.hear(List.of(line.split("[ \t]+")));
        }
        bot.endInput();
    }
}
