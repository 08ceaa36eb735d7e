import { check } from './commands/check.ts'
import type { Command } from './commands/command.ts'

/** The subcommands of `lora-console`, as its help lists them. */
export const commands: readonly Command[] = [check]
