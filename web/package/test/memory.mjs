// How much memory an engine uses, asked for over the protocol of the developer tools, which browsers and Node share.
//
// The size of the process wouldn't do: it goes up and down by megabytes whatever the engine does.

/** Collects garbage, then returns how many bytes a page or worker holds: JavaScript's heap and WebAssembly's memories. */
export async function heldBytes(call) {
  await call("HeapProfiler.collectGarbage");
  const { usedSize } = await call("Runtime.getHeapUsage");
  const prototype = await call("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
  const { objects } = await call("Runtime.queryObjects", { prototypeObjectId: prototype.result.objectId });
  const { result } = await call("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
    returnByValue: true,
  });
  return usedSize + result.value;
}

/** Numbers calls, hands them to `send` as text, and returns [call, receive]: `receive` takes the answers. */
export function remoteCalls(send) {
  const waiting = [];
  const call = (method, params) => new Promise((resolve) => send(JSON.stringify({ id: waiting.push(resolve) - 1, method, params })));
  const receive = (message) => {
    const { id, result } = JSON.parse(message);
    if (id !== undefined) waiting[id](result);
  };
  return [call, receive];
}
