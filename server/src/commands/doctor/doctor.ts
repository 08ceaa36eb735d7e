import { connect } from '../../db/connect.ts'
import { listPending, migrationsDirectory } from '../../db/migrate.ts'
import { createSealer, type Sealer } from '../../db/seal.ts'
import { readSecretKeys } from '../../db/secret-keys.ts'
import { isEmail } from '../../features/people/users/emails.ts'
import { type CommandContext, command, countOf, WrongUse } from '../command.ts'
import { checkAddress } from './check-address.ts'
import { checkBackups } from './check-backups.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkMail } from './check-mail.ts'
import { checkNetworks } from './check-networks.ts'
import { checkPush } from './check-push.ts'
import { checkProcesses, checkSealing, checkService } from './check-service.ts'
import { checkStandbys } from './check-standbys.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  type Verdict,
} from './finding.ts'
import { withoutSecrets, writeReport } from './report.ts'

const marks: Record<Verdict, string> = {
  ok: 'ok      ',
  warning: 'WARNING ',
  problem: 'PROBLEM ',
  skipped: '-       ',
}

/** Looks at everything that the service needs, and says what to do (docs/doctor.md). */
export const doctorCommand = command({
  name: 'doctor',
  parameters: [],
  summary: 'looks for what is wrong with the service, and says what to do',
  help: `Checks disk, clock, database, keys, the way to PUBLIC_URL and to each callback, certificate, mail,
push messages and backups, whether the service runs or not. Changes and stores nothing, and sends a mail
only with --send-to. Ends with 1 where there is a problem. Run it as the user of the service.

  --send-to E-MAIL   also sends a mail to this address
  --backups FOLDER   where backups are: ./backups or DATA_DIR/backups
  --report FILE      writes a new file with all findings, without secrets, to give to others`,
  options: {
    'send-to': { type: 'string' },
    backups: { type: 'string' },
    report: { type: 'string' },
  },
  async run(context, _parameters, { 'send-to': sendTo, backups, report }) {
    if (sendTo !== undefined && !isEmail(sendTo))
      throw new WrongUse(`${sendTo} is no e-mail address.`)
    const { config, say } = context
    const found = await examine(context, { sendTo, backups })
    const findings = withoutSecrets(found, config)
    for (const { status, check, says, advice } of findings) {
      say(`${marks[status]}${check.padEnd(22)} ${says}`)
      if (advice) say(`        ${' '.repeat(22)} -> ${advice}`)
    }
    if (report !== undefined) await writeReport(report, config, findings)
    const count = (status: Verdict) => findings.filter((one) => one.status === status).length
    const [problems, warnings] = [count('problem'), count('warning')]
    say(`${countOf(problems, 'problem')}, ${countOf(warnings, 'warning')}.`)
    if (report !== undefined) say(`The report is in ${report}.`)
    return { findings, problems, warnings, ...(problems > 0 ? { failed: problems } : {}) }
  },
})

interface Wishes {
  sendTo: string | undefined
  backups: string | undefined
}

async function examine(context: CommandContext, { sendTo, backups }: Wishes): Promise<Finding[]> {
  const { config } = context
  const { isRunning, finding } = await checkService(config)
  const [disk, mail, backup] = await Promise.all([
    checkDisk(config),
    checkMail(config, sendTo),
    checkBackups(config, backups),
  ])
  const inDatabase = await examineDatabase(context, isRunning)
  const standbys = config.databaseUrl ? await checkStandbys(config.databaseUrl) : []
  const address = await checkAddress(config, findSealer(config), isRunning)
  return [finding, ...disk, ...inDatabase, ...standbys, ...address, ...mail, backup]
}

/** Undefined without a key, or with a key file that cannot be read: `keys.sealing` says so. */
function findSealer(config: DoctorSettings): Sealer | undefined {
  try {
    const [key, ...others] = readSecretKeys(config)
    return key && createSealer(key, ...others)
  } catch {
    return undefined
  }
}

async function examineDatabase(context: CommandContext, isRunning: boolean): Promise<Finding[]> {
  const check = 'database.server'
  const { config } = context
  try {
    return await context.withAnyDatabase(async ({ url }) => {
      const pending = await listPending(url, migrationsDirectory)
      const db = connect(url, { max: 2, applicationName: 'lora-console' })
      try {
        const found = await checkDatabase(db)
        if (pending.length > 0) return [...found, tellPending(pending)]
        const upToDate = ok('database.migrations', 'The schema is that of this version.')
        const sealer = findSealer(config)
        return [
          ...found,
          upToDate,
          await checkProcesses(db, config, isRunning),
          ...(await checkSealing(db, config)),
          ...(await checkNetworks({ db, settings: config, sealer, isRunning })),
          ...(sealer ? await checkPush(db, config, sealer) : []),
        ]
      } finally {
        await db.close()
      }
    })
  } catch (error) {
    context.signal.throwIfAborted()
    const advice = config.databaseUrl
      ? 'Correct DATABASE_URL, and see that PostgreSQL runs and takes this machine (pg_hba.conf).'
      : 'Do what it says; the log of the service has more.'
    return [problem(check, `${reasonOf(error)}.`, advice)]
  }
}

function tellPending(pending: readonly string[]): Finding {
  return problem(
    'database.migrations',
    `The database is older than this version: it lacks ${countOf(pending.length, 'migration')}.`,
    'Start the service, or run "lora-console migrate", after a backup.',
  )
}
