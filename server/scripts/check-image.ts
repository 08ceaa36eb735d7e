/** `npm run image-check`: the image of the Dockerfile, built and run. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const help = `npm run image-check -- [options]

Builds the image of the Dockerfile, and runs it as compose.yaml does: not as root, on a read-only root
file system, without capabilities. It must tell what is wrong with its settings, register a device,
store an uplink, back up and stop in time. PostgreSQL and a ChirpStack run beside it on this machine
(Linux). Ends with 3 where no container engine answers.

  --engine <command>  such as "sudo docker"; by default docker or podman, the first that answers
  --base <image>      begins with this image with Node (BASE of the Dockerfile)
  --image <name>      runs this image, and builds none
  --help              this text`

const { values } = readWords()
if (values.help) console.log(help)
else process.exitCode = checkImage()

function readWords() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      options: { engine: text, base: text, image: text, help: { type: 'boolean' } },
    })
  } catch (error) {
    const words = error instanceof Error ? error.message : error
    process.stderr.write(`${words}; --help lists the options.\n`)
    process.exit(2)
  }
}

function checkImage(): number {
  const engines = values.engine === undefined ? ['docker', 'podman'] : [values.engine]
  const engine = engines.find((command) => runEngine(command, ['info'], 'ignore') === 0)
  if (engine === undefined) {
    process.stderr.write(`${engines.join(' and ')} do not answer: there is no container engine.\n`)
    return 3
  }
  const image = values.image ?? 'lora-fleet-console:check'
  if (values.image === undefined) {
    const root = join(import.meta.dirname, '../..')
    const base = values.base === undefined ? [] : ['--build-arg', `BASE=${values.base}`]
    const code = runEngine(engine, ['build', '--tag', image, ...base, root], 'inherit')
    if (code !== 0) return code
  }
  const checks = join(import.meta.dirname, '../test/image-checks.ts')
  const env = { ...process.env, IMAGE_ENGINE: engine, IMAGE: image }
  return spawnSync(process.execPath, ['--test', checks], { stdio: 'inherit', env }).status ?? 1
}

function runEngine(command: string, words: string[], stdio: 'ignore' | 'inherit'): number {
  const [program = '', ...options] = command.split(' ')
  return spawnSync(program, [...options, ...words], { stdio }).status ?? 1
}
