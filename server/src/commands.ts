import { backup } from './commands/backup.ts'
import { check } from './commands/check.ts'
import type { Command } from './commands/command.ts'
import { listUsersCommand } from './commands/list-users.ts'
import { resetPassword } from './commands/reset-password.ts'
import { restore } from './commands/restore.ts'
import { seal } from './commands/seal.ts'

/** The subcommands of `lora-console`, as its help lists them. */
export const commands: readonly Command[] = [
  backup,
  check,
  restore,
  seal,
  listUsersCommand,
  resetPassword,
]
