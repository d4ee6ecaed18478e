// Writes the protocol's types and their encoding to src/proto, from the .proto files of the tree, with
// protoc and ts-proto: the first step of every build.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const protos = `${here}../../proto`;
const output = `${here}src/proto`;

const options = [
  'esModuleInterop=true',
  'importSuffix=.js',
  'forceLong=bigint',
  'outputJsonMethods=false',
  'outputPartialMethods=false',
  'outputServices=none',
  'useReadonlyTypes=true',
  'removeEnumPrefix=true',
  'useDate=false',
];

mkdirSync(output, { recursive: true });
execFileSync(
  process.env.PROTOC ?? 'protoc',
  [
    `--plugin=protoc-gen-ts_proto=${here}node_modules/.bin/protoc-gen-ts_proto`,
    `--ts_proto_out=${output}`,
    `--ts_proto_opt=${options.join(',')}`,
    `-I${protos}`,
    'referee/v1/bot_service.proto',
    'referee/v1/replay.proto',
  ],
  { stdio: 'inherit' },
);
