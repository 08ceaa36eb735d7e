import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './guide-blocks.ts'

export interface Outcome {
  /** The number of the block that failed; undefined when all of them ended well. */
  failed: number | undefined
  /** What each block has printed. */
  outputs: string[]
  errors: string
  /** The method, address and status of each refused request. */
  refused: string[]
}

/**
 * What stands before the commands of a page, in bash. A pause lasts until the device has sent and has
 * been sent what waits for it; the simulator's devices send every third of a second. `head` reads all, so that nobody writes into a closed pipe.
 */
const before = `set -e -o pipefail
curl() { command curl -w '%{stderr}@ %{http_code} %{method} %{url_effective}\\n' "$@"; }
head() { local all; all=$(cat); command head "$@" <<< "$all"; }
look() {
  command curl -s -H "Authorization: Bearer $TOKEN" -H "Organization: $ORGANIZATION" \\
    "$SERVICE/v1/devices/00AA000000000001/$1"
}
sleep() {
  local history
  for _ in {1..60}; do
    command sleep 0.25
    [[ $(look uplink) = *'"event_type"'* ]] || continue
    history=$(look configure)
    if [[ $history != *event_created* || $history = *event_acknowledged* ]]; then return; fi
  done
}
npm() {
  [ "$1 $2 $3" = "run simulator --" ] || { echo "npm $* is not for tests" >&2; return 1; }
  [ -z "$IS_SIMULATED" ] || return 0
  local network=$4; shift 4
  node "$ROOT/server/simulators/main.ts" "$network" "$@" --interval 0.3 > simulator.txt &
  until [ -s simulator.txt ]; do command sleep 0.05; done
}
npx() {
  [ "$1 $2" = '--no-install lora-console' ] || return 1
  [ "$3" != import ] || set -- "$@" --url "$SERVICE"
  node "$ROOT/bin/lora-console.js" "\${@:3}"
}
trap 'for each in $(jobs -p); do kill $each; done' EXIT
`

/** Runs blocks of commands one after the other in one bash, in a folder of their own. */
export async function runCommands(
  blocks: readonly string[],
  env: Record<string, string>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const programs = `${join(root, 'node_modules/.bin')}:${PATH}`
  const parts = blocks.map((block, index) => `echo '@block ${index}'\n${block}`)
  const child = spawn('bash', ['-c', `${before}\n${parts.join('\n')}`], {
    cwd: folder,
    env: { PATH: programs, HOME, NODE_COMPILE_CACHE, ROOT: root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  await rm(folder, { recursive: true, force: true })
  const outputs = output.split(/^@block \d+\n/m).slice(1)
  const requests = [...errors.matchAll(/^@ (\d+) (.*)$/gm)]
  return {
    failed: code === 0 ? undefined : outputs.length - 1,
    outputs,
    errors: errors.replaceAll(/^@ .*\n/gm, ''),
    refused: requests
      .filter(([, status]) => Number(status) >= 400)
      .map(([, status, what]) => `${status} ${what}`),
  }
}
