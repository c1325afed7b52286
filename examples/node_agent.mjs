// An agent in JavaScript: one JSON object a line, in and out. It needs Node and no package.
//
//     proctor run hello --only route --agent "cmd:node examples/node_agent.mjs"
//
// It drives to the destination of family `route`: the shortest way on the map, and another one whenever a road is
// blocked. Other tasks it declines.

import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

/** The next message of a type; the bench has nothing more to say when standard input ends. */
async function receive(type) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) process.exit();
    const message = JSON.parse(value);
    if (message.type === type) return message;
  }
}

/** The places after `start` on a shortest way to `end`; empty when there is none. */
function way(roads, start, end) {
  const ways = [[start]];
  const visited = new Set([start]);
  for (const taken of ways) {
    const here = taken.at(-1);
    if (here === end) return taken.slice(1);
    for (const road of roads) {
      const place = road.includes(here) && road[road[0] === here ? 1 : 0];
      if (place && !visited.has(place)) {
        visited.add(place);
        ways.push([...taken, place]);
      }
    }
  }
  return [];
}

async function drive({ position, destination, roads }) {
  let here = position;
  while (here !== destination) {
    const [next] = way(roads, here, destination);
    if (!next) return "lost";
    send({ type: "tool_call", tool: "move", arguments: { to: next } });
    if ((await receive("result")).ok) here = next;
    else roads = roads.filter((road) => !(road.includes(here) && road.includes(next)));
  }
  return "arrived";
}

send({ type: "ready" });
for (;;) {
  await receive("task");
  const { fields } = await receive("observation");
  send({ type: "submit", answer: fields.roads ? await drive(fields) : null });
}
