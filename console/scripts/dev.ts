import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const help = `npm run console -- [options of npm run demo]

Serves the console with hot reload at http://localhost:5173, against a demo (npm run demo) on
port 8080, or on PORT. CONSOLE_SERVICE=http://... takes a service that runs instead.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit(0)
}

const port = process.env.PORT ?? '8080'
const given = process.env.CONSOLE_SERVICE
process.env.CONSOLE_SERVICE ??= `http://127.0.0.1:${port}`
const root = join(import.meta.dirname, '../..')
const demo = given ? undefined : startDemo()
const server = await createServer({ configFile: join(root, 'console/vite.config.ts') })
await server.listen()
server.printUrls()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

/** The demo stops by the same Ctrl-C, which the terminal sends to both. */
async function stop(): Promise<void> {
  await server.close()
  demo?.kill('SIGTERM')
}

function startDemo(): ChildProcess {
  const child = spawn(process.execPath, ['server/demo/main.ts', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port },
  })
  child.once('exit', (code) => process.exit(code ?? 0))
  return child
}
