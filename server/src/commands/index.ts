import { auditExport } from './audit-export.ts'
import { auditVerify } from './audit-verify.ts'
import { backup, restore } from './backup.ts'
import { addCatalogue, searchCatalogueCommand, takeCatalogueModel } from './catalogue.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { decodeAgainCommand } from './decode-again.ts'
import { distributeCommand } from './distribute.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { exportCommand } from './export.ts'
import { importArchive } from './import-archive.ts'
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
import { rebuildRollupsCommand } from './rebuild-rollups.ts'
import { reconcile } from './reconcile.ts'
import { seal } from './seal.ts'
import {
  addUser,
  listUsersCommand,
  permitUser,
  removeUser,
  resetPassword,
  resetTwoFactor,
} from './users.ts'

/** The subcommands of `lora-console` that end by themselves, as its help lists them. */
export const commands: readonly Command[] = [
  check,
  doctorCommand,
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
  searchCatalogueCommand,
  takeCatalogueModel,
  addCatalogue,
  decodeAgainCommand,
  rebuildRollupsCommand,
  importChirpStack,
  importTheThingsStack,
  importThingPark,
  importCsv,
  exportCommand,
  importArchive,
  distributeCommand,
]
