// Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.
//
// Java 16 or later, nothing but its library. As it is, it picks at random: change chooseMove().
// It must choose at once; NimBot.java shows how to read lines while thinking.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

public class RandomBot {
    // -----------------------------------------------------------------------------------------
    // Your idea goes here.
    //
    // `position` is a text such as "kayles:3,4+nim:5 moves 1=2": where the game began, and the
    // moves since. `moves` are the legal ones: "1=2" makes heap 1 a heap of 2, "1=1,1" splits it
    // into two. Return one of them; there is at least one.

    static String chooseMove(String position, List<String> moves, Random chance) {
        return moves.get(chance.nextInt(moves.size()));
    }

    // -----------------------------------------------------------------------------------------
    // From here on: the protocol, which you need not change.

    static final String START = "nim:1,3,5,7";

    private final Random chance = new Random(0);
    private String position = START;
    private String pending = "";  // the answer to `go infinite`, which is not due before `stop`

    static void say(String line) {
        System.out.println(line);
        System.out.flush();  // unflushed lines never leave: the arena would wait in vain
    }

    /** False: to end. */
    private boolean carryOut(List<String> words) {
        switch (words.get(0)) {
            case "ugi":
                say("id name RandomBot\nid author the Nimarena authors");
                say("option name Seed type spin default 0 min 0 max 9223372036854775807");
                // A bot that prints this option gets the legal moves with every `go`.
                say("option name LegalMoves type check default true\nugiok");
                break;
            case "isready":
                say("readyok");
                break;
            case "setoption":
                if (words.size() == 5 && words.get(2).equals("Seed")) {
                    chance.setSeed(words.get(4).hashCode());
                }
                break;
            case "position":
                boolean isFen = words.size() > 2 && words.get(1).equals("fen");
                String after = String.join(" ", words.subList(Math.min(2, words.size()), words.size()));
                position = isFen ? after : (START + " " + after).trim();
                break;
            case "go":
                go(words);
                break;
            case "stop":
                if (!pending.isEmpty()) say(pending);
                pending = "";
                break;
            case "quit":
                return false;
            default:  // is ignored
        }
        return true;
    }

    private void go(List<String> words) {
        int index = words.indexOf("searchmoves");
        List<String> moves = index < 0 ? List.of() : words.subList(index + 1, words.size());
        String answer =
            "bestmove " + (moves.isEmpty() ? "0000" : chooseMove(position, moves, chance));
        if (words.contains("infinite")) {
            pending = answer;
        } else {
            say(answer);
        }
    }

    public static void main(String[] arguments) throws IOException {
        RandomBot bot = new RandomBot();
        var lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            line = line.trim();
            if (!line.isEmpty() && !bot.carryOut(List.of(line.split("[ \t]+")))) return;
        }
        if (!bot.pending.isEmpty()) say(bot.pending);
    }
}
