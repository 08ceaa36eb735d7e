/**
 * `npm run package:python` makes the wheel and the sdist of `clients/python`, in its folder `dist`. The
 * tools for it are installed from PyPI, next to the project's own packages.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'clients/python')
const venv = join(root, 'node_modules/.cache/python-client')
const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin')
/** flit_core is the one that pyproject.toml names. */
const tools = ['build==1.3.0', 'flit_core==3.12.0']

const run = (command: string, ...words: string[]) =>
  execFileSync(command, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

if (!existsSync(join(bin, 'pip'))) run('python3', '-m', 'venv', venv)
run(join(bin, 'pip'), 'install', '-q', '--disable-pip-version-check', ...tools)
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })
run(join(bin, 'python'), '-m', 'build', '--no-isolation')
