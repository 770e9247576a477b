// Runs a visitor's bot in a worker. The server sends this file with a policy of its own (site.cpp):
// nothing can be fetched from here, only the bot itself is loaded. What the browser keeps for this
// site, and what reaches its other pages, is taken away first.
//
// It says {ready}, gets {code}, says {loaded: whether there is a bestMove}, and gets {position, moves}
// for each {move}, or {returned: the type of what is no text}. {log} is a line that the bot prints.
// What the bot throws becomes an error event of the worker, with its line.

{
  const kLines = 100; // that are passed on, to spare the page, which cuts them for good
  const say = postMessage.bind(self);

  const take = (from, names) => {
    for (let holder = from; holder !== null; holder = Object.getPrototypeOf(holder))
      for (const name of names) delete holder[name];
  };
  take(self, ["indexedDB", "caches", "BroadcastChannel", "Worker"]);
  take(self, ["webkitRequestFileSystem", "webkitRequestFileSystemSync"]);
  take(navigator, ["storage", "storageBuckets"]);

  let printed = 0;
  console.log = (...words) => {
    if (printed++ < kLines) say({log: words.map(String).join(" ")});
  };

  const load = (code) => {
    importScripts(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
    say({loaded: typeof bestMove === "function"});
  };

  const answer = (position, moves) => {
    const move = bestMove(position, moves);
    say(typeof move === "string" ? {move} : {returned: typeof move});
  };

  addEventListener("message", ({data}) =>
    data.code === undefined ? answer(data.position, data.moves) : load(data.code),
  );
  say({ready: true});
}
