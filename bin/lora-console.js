#!/usr/bin/env node
// A clone runs the sources; the package has JavaScript (server/scripts/write-package.ts).
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = Number.parseInt(engines.node.slice('>='.length), 10)

function runSources() {
  const sources = new URL('../server/lora-console.ts', import.meta.url)
  return import(
    existsSync(sources) ? sources : new URL('../server/lora-console.js', import.meta.url)
  )
}

/** Another program may have chosen an older Node: the right one is installed beside this, or above. */
function runByInstalledNode() {
  const installed = ['../node_modules/.bin/node', '../../.bin/node'].find((path) =>
    existsSync(new URL(path, import.meta.url)),
  )
  if (installed === undefined || process.env.LORA_CONSOLE_NODE === 'found') {
    const advice = 'npm ci, or npm install of the package, brings it'
    process.stderr.write(
      `lora-console needs Node ${needed}, and this is ${process.version}: ${advice}.\n`,
    )
    process.exit(1)
  }
  const node = fileURLToPath(new URL(installed, import.meta.url))
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, LORA_CONSOLE_NODE: 'found' }
  const child = spawn(node, words, { stdio: 'inherit', env })
  // Ctrl-C reaches both: the child decides when to end.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

if (Number.parseInt(process.versions.node, 10) < needed) runByInstalledNode()
else await runSources()
