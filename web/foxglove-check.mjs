// The Foxglove endpoint of simrun serve, seen by Foxglove's own client, and all that comes through it against Foxglove's own schemas.
// Usage: node foxglove-check.mjs URL SETTABLE_PARAMETER
import { createRequire } from "node:module";
import Ajv from "ajv";
import WebSocket from "ws";

const require = createRequire(import.meta.url);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const official = require("@foxglove/schemas/jsonschema");
const [url, parameter] = process.argv.slice(2);
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
let [passed, failed] = [0, 0];
const check = (what, good, seen = "") => {
  if (good) ++passed;
  else {
    ++failed;
    console.log(`FAILED: ${what}`, seen);
  }
};
const text = new TextDecoder();
const within = (promise, what, seconds = 60) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`nothing came: ${what}`)), 1000 * seconds).unref())]);

/** A client, and the next event of a name for which `wanted` says yes. */
function connected(subprotocol) {
  const ws = new WebSocket(url, [subprotocol]);
  const client = new FoxgloveClient({ ws });
  const seen = { ws, client, playbackStates: 0 };
  client.on("error", (error) => {
    // This client is older than playback, and logs what it does not know: foxglove.sdk.v1 has it, the other subprotocol must not.
    const isPlayback = subprotocol === "foxglove.sdk.v1" && String(error).includes("opcode in binary message: 5");
    if (isPlayback) ++seen.playbackStates;
    else check(`${subprotocol}: no error of the client`, false, error);
  });
  const next = (name, wanted = () => true) =>
    within(
      new Promise((resolve) => {
        const listen = (event) => {
          if (!wanted(event)) return;
          client.off(name, listen);
          resolve(event);
        };
        client.on(name, listen);
      }),
      name,
    );
  return Object.assign(seen, { next });
}

/** The official schema, and that it knows each member: a name that is misspelled is no member of it. */
const schemas = new Map();
function officialProblem(name, message) {
  const schema = official[name.replace("foxglove.", "")];
  if (!schema) return `there is no schema ${name}`;
  if (!schemas.has(name)) schemas.set(name, ajv.compile(schema));
  const validate = schemas.get(name);
  if (!validate(message)) return ajv.errorsText(validate.errors);
  const strange = unknownMember(message, schema);
  return strange ? `it has no member ${strange}` : "";
}
function unknownMember(value, schema) {
  if (schema.type === "array" && Array.isArray(value)) {
    for (const each of value) {
      const found = unknownMember(each, schema.items ?? {});
      if (found) return found;
    }
  } else if (schema.type === "object" && schema.properties) {
    for (const [name, each] of Object.entries(value)) {
      if (!(name in schema.properties)) return name;
      const found = unknownMember(each, schema.properties[name]);
      if (found) return `${name}.${found}`;
    }
  }
  return "";
}

for (const subprotocol of ["foxglove.websocket.v1", "foxglove.sdk.v1"]) {
  const connection = connected(subprotocol);
  const { ws, client, next } = connection;
  const [info, channels, services] = await Promise.all([next("serverInfo"), next("advertise"), next("advertiseServices")]);
  check(`${subprotocol}: is spoken`, ws.protocol === subprotocol, ws.protocol);
  check(`${subprotocol}: capabilities`, ["time", "parameters", "parametersSubscribe", "services"].every((each) => info.capabilities.includes(each)), info);
  check(`${subprotocol}: a name and a session`, typeof info.name === "string" && typeof info.sessionId === "string", info);

  // Every channel, its first message against the schema that came with it and Foxglove's own.
  const own = new Map(channels.map((each) => [each.id, ajv.compile(JSON.parse(each.schema))]));
  const topics = new Map();
  const waiting = new Set(channels.filter((each) => each.topic !== "/log").map((each) => each.topic));
  let schemasSeen = new Set();
  const all = new Promise((resolve) =>
    client.on("message", ({ subscriptionId, timestamp, data }) => {
      const channel = topics.get(subscriptionId);
      if (!waiting.delete(channel.topic)) return;
      const message = JSON.parse(text.decode(data));
      const validate = own.get(channel.id);
      check(`${channel.topic}: its own schema`, validate(message), ajv.errorsText(validate.errors));
      check(`${channel.topic}: a time`, typeof timestamp === "bigint", timestamp);
      if (channel.schemaName.startsWith("foxglove.")) {
        schemasSeen.add(channel.schemaName);
        const problem = officialProblem(channel.schemaName, message);
        check(`${channel.topic}: ${channel.schemaName} of Foxglove`, problem === "", problem);
      }
      if (waiting.size === 0) resolve();
    }),
  );
  check(`${subprotocol}: JSON with schemas`, channels.every((each) => each.encoding === "json" && each.schemaEncoding === "jsonschema"));
  for (const channel of channels) topics.set(client.subscribe(channel.id), channel);
  await within(all, `messages of ${[...waiting].join(", ")}`).catch((error) => check("every channel sends", false, [error.message, [...waiting]]));
  check(`${subprotocol}: kinds of messages`, schemasSeen.size >= 6, [...schemasSeen]);

  // Parameters: all, one that is set, one out of its range.
  client.getParameters([], "all");
  const { parameters } = await next("parameterValues", (each) => each.id === "all");
  check(`${subprotocol}: parameters`, parameters.some((each) => each.name === parameter && each.type === "float64"), parameters.slice(0, 3));
  client.setParameters([{ name: parameter, value: 0.5 }], "set");
  const set = await next("parameterValues", (each) => each.id === "set");
  check(`${subprotocol}: a parameter is set`, set.parameters[0].value === 0.5, set);
  const refused = next("status", (each) => each.level === 2);
  client.setParameters([{ name: parameter, value: 7 }], "bad");
  check(`${subprotocol}: one out of its range is not, and it says why`, (await refused).message.includes("from 0 to 1"));

  // Services.
  const call = async (name, request, callId) => {
    const service = services.find((each) => each.name === name);
    const answer = Promise.race([next("serviceCallResponse", (each) => each.callId === callId), next("serviceCallFailure", (each) => each.callId === callId)]);
    client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "json", data: new TextEncoder().encode(JSON.stringify(request)) });
    return answer;
  };
  const times = next("time");
  check(`${subprotocol}: a step`, (await call("/step", { steps: 2 }, 1)).op !== "serviceCallFailure");
  check(`${subprotocol}: the time`, typeof (await times).timestamp === "bigint");
  check(`${subprotocol}: half a step`, (await call("/step", { steps: 0.5 }, 2)).op === "serviceCallFailure");
  // A reset is another session, with channels again.
  const again = Promise.all([next("serverInfo"), next("advertise")]);
  await call("/reset", {}, 3);
  const [after, others] = await again;
  check(`${subprotocol}: another run is another session`, after.sessionId !== info.sessionId && others.length === channels.length);
  check(`${subprotocol}: playback`, connection.playbackStates > 0 === (subprotocol === "foxglove.sdk.v1"), connection.playbackStates);
  client.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
