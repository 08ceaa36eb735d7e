#!/usr/bin/env node
import pino from 'pino'
import { type Command, WrongUse } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { withDatabase, withNewDatabase } from './commands/open-database.ts'
import { readConfig } from './config.ts'

const widest = Math.max(...commands.map(({ usage }) => usage.length))
const help = `lora-console COMMAND

Works on the database of the service, with the service's settings (README, "Settings").

${commands.map(({ usage, summary }) => `  ${usage.padEnd(widest)}  ${summary}`).join('\n')}

lora-console COMMAND --help tells more of one.`

/** The exit code of programs that Ctrl-C ended. */
const interrupted = 130

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // A second one ends the process at once.
  process.once(name, () => stopping.abort(new Error('Stopped.')))
}

try {
  await runWords(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(stopping.signal.aborted ? interrupted : error instanceof WrongUse ? 2 : 1)
}
process.exit()

async function runWords(words: readonly string[]): Promise<void> {
  const isHelp = words.includes('--help') || words.includes('-h')
  const found = findCommand(words)
  if (isHelp) {
    process.stdout.write(`${found ? describe(found) : help}\n`)
    return
  }
  if (!found) throw new WrongUse(tellUnknown(words))
  const run = found.read(words.slice(found.name.split(' ').length))
  const config = readConfig(process.env)
  const log = pino({ level: 'warn' }, pino.destination(2))
  const { signal } = stopping
  await run({
    config,
    log,
    say: (line) => process.stdout.write(`${line}\n`),
    withDatabase: (work) => withDatabase(config, { log, signal }, work),
    withNewDatabase: (work) => withNewDatabase(config, log, work),
  })
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
}

function tellUnknown(words: readonly string[]): string {
  const advice = 'lora-console --help lists the commands.'
  if (words.length === 0) return `No command is named: ${advice}`
  return `There is no command "${words.slice(0, 2).join(' ')}": ${advice}`
}

function describe(command: Command): string {
  const { usage, summary } = command
  return `lora-console ${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\n${command.help}`
}
