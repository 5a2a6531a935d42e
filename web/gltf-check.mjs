// Prints what the Khronos validator finds in GLB files, and fails for errors and warnings: node gltf-check.mjs FILE...
import { readFileSync } from "node:fs";
import validator from "gltf-validator";

let bad = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
  for (const message of messages) if (message.severity <= 1) console.log(`  ${message.code} ${message.pointer ?? ""} ${message.message}`);
  bad += numErrors + numWarnings;
}
process.exit(bad > 0 ? 1 : 0);
