import { addUser } from './add-user.ts'
import { auditExport } from './audit-export.ts'
import { auditVerify } from './audit-verify.ts'
import { backup, restore } from './backup.ts'
import { permitUser, removeUser, resetTwoFactor } from './change-user.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { decodeAgainCommand } from './decode-again.ts'
import { distributeCommand } from './distribute.ts'
import { exportCommand } from './export.ts'
import { importArchive } from './import-archive.ts'
import { listUsersCommand } from './list-users.ts'
import { migrateCommand } from './migrate.ts'
import { importChirpStack } from './moving-in/import-chirpstack.ts'
import { importCsv } from './moving-in/import-csv.ts'
import { importTheThingsStack } from './moving-in/import-thethingsstack.ts'
import { importThingPark } from './moving-in/import-thingpark.ts'
import {
  deleteOrganizationCommand,
  limitOrganizationCommand,
  listOrganizations,
} from './organizations.ts'
import { reconcile } from './reconcile.ts'
import { resetPassword } from './reset-password.ts'
import { seal } from './seal.ts'

/** The subcommands of `lora-console` that end by themselves, as its help lists them. */
export const commands: readonly Command[] = [
  check,
  migrateCommand,
  backup,
  restore,
  listUsersCommand,
  addUser,
  permitUser,
  removeUser,
  resetPassword,
  resetTwoFactor,
  listOrganizations,
  limitOrganizationCommand,
  deleteOrganizationCommand,
  seal,
  auditVerify,
  auditExport,
  reconcile,
  decodeAgainCommand,
  importChirpStack,
  importTheThingsStack,
  importThingPark,
  importCsv,
  exportCommand,
  importArchive,
  distributeCommand,
]
