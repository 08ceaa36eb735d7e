#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pino from 'pino'
import packageFile from '../package.json' with { type: 'json' }
import { shellNames, writeCompletion } from './completion.ts'
import { programs } from './programs.ts'
import {
  type Command,
  describeError,
  firstSentence,
  type Result,
  WrongUse,
} from './src/commands/command.ts'
import { commands } from './src/commands/index.ts'
import { withAnyDatabase, withDatabase, withNewDatabase } from './src/commands/open-database.ts'
import { readConfig } from './src/config.ts'

/** The settings of `serve` that can be typed as well. */
const serveOptions = {
  host: { type: 'string' },
  port: { type: 'string' },
  'data-dir': { type: 'string' },
} as const

const serve = {
  name: 'serve',
  usage: 'serve',
  summary: 'starts the service with its console',
  options: Object.keys(serveOptions),
  help: `Settings come from the environment (docs/settings.md). Ctrl-C or SIGTERM stops it.

  --host ADDRESS   where it listens: HOST (127.0.0.1)
  --port NUMBER    PORT (8080)
  --data-dir PATH  DATA_DIR (./data)`,
}

const completion = {
  name: 'completion',
  usage: 'completion SHELL',
  summary: `prints what completes these commands in ${shellNames.join(', ')}`,
  options: [],
  help: `For bash, in ~/.bashrc:  source <(lora-console completion bash)
For zsh, in ~/.zshrc:    source <(lora-console completion zsh)
For fish:                lora-console completion fish > ~/.config/fish/completions/lora-console.fish`,
}

const withJson = commands.map((each) => ({ ...each, options: [...each.options, 'json'] }))
const all = [serve, ...programs, ...withJson, completion]
const widest = Math.max(...all.map(({ usage }) => usage.length))
const help = `lora-console COMMAND

Starts the service, and works on its database, with the service's settings (docs/settings.md).

${all.map(({ usage, summary }) => `  ${usage.padEnd(widest)}  ${summary}`).join('\n')}

lora-console COMMAND --help tells more of one. --json prints the result of a command that works on
the database as one line of JSON, and {"error": ...} where it fails. --version prints the version.`

/** The exit code of programs that Ctrl-C ended. */
const interrupted = 130

const words = process.argv.slice(2)
const isJson = words.includes('--json')
const stopping = new AbortController()

try {
  await runWords()
} catch (error) {
  const message = describeError(error)
  if (isJson) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
  else process.stderr.write(`${message}\n`)
  process.exit(stopping.signal.aborted ? interrupted : error instanceof WrongUse ? 2 : 1)
}

async function runWords(): Promise<void> {
  const [first] = words
  const isHelp = words.includes('--help') || words.includes('-h')
  const program = programs.find(({ name }) => name === first)
  if (program) {
    process.argv.splice(2, 1)
    await program.load()
    return
  }
  const found = [serve, completion, ...commands].find(isNamed)
  if (isHelp) return print(found ? describe(found) : help)
  if (first === '--version') return print(packageFile.version)
  if (found === serve) return startService()
  if (found === completion) return printCompletion(words.slice(1))
  const command = commands.find(isNamed)
  if (!command) throw new WrongUse(tellUnknown())
  await runCommand(command)
  // What is written to a pipe is not there yet.
  process.stdout.write('', () => process.exit())
}

function isNamed({ name }: { name: string }): boolean {
  return name === words.slice(0, name.split(' ').length).join(' ')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** With WORKERS each server process comes here too, with the same words. */
async function startService(): Promise<void> {
  const values = readServeWords()
  if (values.host !== undefined) process.env.HOST = values.host
  if (values.port !== undefined) process.env.PORT = values.port
  if (values['data-dir'] !== undefined) process.env.DATA_DIR = values['data-dir']
  await import('./src/main.ts')
}

function readServeWords() {
  try {
    return parseArgs({ args: words.slice(1), options: serveOptions }).values
  } catch (error) {
    throw new WrongUse(error instanceof Error ? firstSentence(error.message) : 'wrong options')
  }
}

function printCompletion([shell, ...surplus]: string[]): void {
  const script = surplus.length === 0 && shell && writeCompletion(shell, all)
  if (!script) throw new WrongUse(`Name one shell: ${shellNames.join(', ')}.`)
  process.stdout.write(script)
}

async function runCommand(command: Command): Promise<void> {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // A second one ends the process at once.
    process.once(name, () => stopping.abort(new Error('Stopped.')))
  }
  const run = command.read(words.slice(command.name.split(' ').length))
  const config = readConfig(process.env)
  const log = pino({ level: 'warn' }, pino.destination(2))
  const { signal } = stopping
  const means = { log, signal }
  const result: Result = await run({
    ...{ config, log, signal, secret: readSecret },
    say: (line) => isJson || print(line),
    withDatabase: (work) => withDatabase(config, means, work),
    withAnyDatabase: (work) => withAnyDatabase(config, means, work),
    withNewDatabase: (work) => withNewDatabase(config, means, work),
  })
  if (isJson) print(JSON.stringify(result))
  if (result.failed) process.exitCode = 1
}

function readSecret(name: string): string | undefined {
  const path = process.env[`${name}_FILE`]
  return process.env[name] || (path && readFileSync(path, 'utf8').trim()) || undefined
}

function tellUnknown(): string {
  const advice = 'lora-console --help lists the commands.'
  const [first] = words
  if (first === undefined) return `No command is named: ${advice}`
  const longer = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (longer.length > 0) return `Name one of: ${longer.map(({ usage }) => usage).join(', ')}.`
  return `There is no command "${words.slice(0, 2).join(' ')}": ${advice}`
}

function describe(command: Pick<Command, 'usage' | 'summary' | 'help'>): string {
  const { usage, summary } = command
  return `lora-console ${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\n${command.help}`
}
