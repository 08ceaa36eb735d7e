import { readFile } from 'node:fs/promises'
import type { ParseArgsOptionsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { DoctorSettings } from './doctor/finding.ts'
import type { OpenDatabase } from './open-database.ts'

/** What `lora-console.ts` gives to a command. */
export interface CommandContext {
  /** The settings that commands read. Mistakes in any setting end the program before. */
  config: DoctorSettings
  /** Warnings and errors, to stderr. */
  log: FastifyBaseLogger
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /**
   * A secret from the environment: the variable, or the file that `<name>_FILE` names. Secrets are
   * never options, which every user of the machine can read.
   */
  secret(name: string): string | undefined
  /** Writes one line to stdout, except with `--json`. */
  say(line: string): void
  /**
   * Runs `work` on the service's database, whether the service runs or not, and rejects at Ctrl-C
   * (`open-database.ts`). The database has the schema of this version.
   */
  withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T>
  /** The same on a database of any older version, or an empty one that DATABASE_URL names. */
  withAnyDatabase<T>(work: (database: Omit<OpenDatabase, 'db'>) => Promise<T>): Promise<T>
  /** Runs `work` on a database to be filled, which is made when it is missing. */
  withNewDatabase<T>(work: (database: Omit<OpenDatabase, 'db'>) => Promise<T>): Promise<T>
}

/** What `--json` prints: one object in one line. With `failed`, the exit code is 1. */
export type Result = Record<string, unknown> & { failed?: number }

type Words<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>
type Values<Options extends ParseArgsOptionsConfig> = Words<Options>['values']

interface Definition<Options extends ParseArgsOptionsConfig> {
  /** As typed after `lora-console`: `user reset-password`. */
  name: string
  /** Required words after the name, as help shows them: `['E-MAIL']`. */
  parameters: readonly string[]
  /** One line. */
  summary: string
  /** What `--help` shows below the summary, with the options. */
  help: string
  options: Options
  /** Tells people by `say`, and programs by its result. */
  run(
    context: CommandContext,
    parameters: readonly string[],
    values: Values<Options>,
  ): Promise<Result>
}

export interface Command {
  name: string
  /** Name and parameters. */
  usage: string
  summary: string
  help: string
  /** Names of its own options, without dashes. */
  options: readonly string[]
  /** Checks the words after the name, and returns what to run. @throws WrongUse */
  read(words: readonly string[]): (context: CommandContext) => Promise<Result>
}

/** The typed words are no valid command. The message says why, in one line. */
export class WrongUse extends Error {}

/** Options of every command. */
const common = { json: { type: 'boolean' } } as const

/** A subcommand of `lora-console`; `commands/index.ts` lists them. */
export function command<const Options extends ParseArgsOptionsConfig>(
  definition: Definition<Options>,
): Command {
  const { name, parameters, options, run } = definition
  const usage = [name, ...parameters].join(' ')
  return {
    name,
    usage,
    summary: definition.summary,
    help: definition.help,
    options: Object.keys(options),
    read(words) {
      const { values, positionals } = parse(words, options)
      if (positionals.length === parameters.length) {
        return (context) => run(context, positionals, values)
      }
      const surplus = positionals[parameters.length]
      throw new WrongUse(
        surplus === undefined
          ? `${parameters[positionals.length]} is missing: lora-console ${usage}.`
          : `"${surplus}" is too much: lora-console ${usage}.`,
      )
    },
  }
}

function parse<Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
): Words<Options> {
  try {
    const known = { ...common, ...options }
    return parseArgs({ args: [...words], options: known, allowPositionals: true as const })
  } catch (error) {
    throw new WrongUse(error instanceof Error ? firstSentence(error.message) : 'wrong options')
  }
}

/** "1 device", "2 devices". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** What an error tells a person. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { path } = error as NodeJS.ErrnoException
  return path === undefined ? error.message : `${path}: ${describeFault(error)}.`
}

/** Reads a file that a person names. @throws Error for a person where it cannot be read. */
export async function readInput(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read: ${describeFault(error)}.`)
  })
}

/** What is wrong with a file, in words. */
export function describeFault({ code, message }: NodeJS.ErrnoException): string {
  const words: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    EACCES: 'you have no permission',
    EPERM: 'you have no permission',
    EEXIST: 'it is there already',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk can only be read',
  }
  return words[code ?? ''] ?? message
}

/** Without Node's advice about options that begin with dashes. */
export function firstSentence(text: string): string {
  return `${text.split(/\.(?:\s|$)/, 1)[0]}.`
}
