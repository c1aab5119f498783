// Reserves both seats of Colyseus rooms by its HTTP API, and prints the address of each.
//   node reserve.mjs PORT ROOMS
const [, , port, count] = process.argv;

async function ask(path) {
  const answer = await fetch(`http://127.0.0.1:${port}/matchmake/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const seat = await answer.json();
  if (!seat.sessionId) throw new Error(JSON.stringify(seat));
  return seat;
}

for (let number = 0; number < Number(count); number++) {
  const first = await ask("create/connect-four");
  const { roomId, processId } = first.room ?? first;
  const second = await ask(`joinById/${roomId}`);
  for (const { sessionId } of [first, second]) {
    console.log(`/${processId}/${roomId}?sessionId=${sessionId}`);
  }
}
