import { stat } from 'node:fs/promises'
import type { Database } from '../../db/connect.ts'
import { keyFileOf } from '../../db/secret-keys.ts'
import { checkKeys } from '../../features/operation/sealing/proof.ts'
import { callOnce, outsideOf } from './call.ts'
import { countProcesses } from './doctor-queries.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  skipped,
  warning,
} from './finding.ts'

/** Whether the service runs on this machine, and is ready. */
export async function checkService(
  settings: DoctorSettings,
): Promise<{ isRunning: boolean; finding: Finding }> {
  const check = 'service.ready'
  const { port, outbound } = settings
  const url = `http://${hostOf(settings)}:${port}/readyz`
  try {
    const { status, text } = await callOnce(url, outsideOf(outbound), { method: 'GET' })
    if (status === 200 && text.includes('"ready"')) {
      return { isRunning: true, finding: ok(check, `The service is ready on port ${port}.`) }
    }
    const reason = /"reason":"([^"]{1,200})"/.exec(text)?.[1]
    if (status === 503 && reason) {
      const says = `The service runs and is not ready: ${reason}`
      const finding = problem(
        check,
        says,
        'Look into its log, and at the checks of the database below.',
      )
      return { isRunning: true, finding }
    }
    const says = `Another program answers on port ${port} (${status}).`
    const advice = 'End that program, or set PORT as for the service.'
    return { isRunning: false, finding: problem(check, says, advice) }
  } catch (error) {
    const says = `The service does not run on this machine (port ${port}: ${reasonOf(error)}).`
    return { isRunning: false, finding: skipped(check, says) }
  }
}

function hostOf({ host }: DoctorSettings): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Signs of life in the database, also of other machines. */
export async function checkProcesses(
  db: Database,
  { workers }: DoctorSettings,
  isRunning: boolean,
): Promise<Finding> {
  const check = 'service.processes'
  const count = await countProcesses(db)
  // Each process that serves, and the one that does the background work.
  const expected = workers + 1
  const says = `${count} parts of the service show that they live; one machine has ${expected}.`
  if (!isRunning)
    return count > 0 ? ok(check, `${says} They run elsewhere.`) : skipped(check, 'None runs.')
  if (count >= expected) return ok(check, says)
  const advice = 'Look into the log for a process that ended, and restart the service.'
  return warning(check, says, advice)
}

/** Whether the keys of these settings open what is sealed, and who can read the key file. */
export async function checkSealing(db: Database, settings: DoctorSettings): Promise<Finding[]> {
  const check = 'keys.sealing'
  try {
    const { keys, proofs } = await checkKeys(db, settings)
    if (proofs.length === 0) return [skipped(check, 'Nothing is sealed before the first start.')]
    const says = keys.length === 1 ? 'The key opens' : `${keys.length} keys open`
    return [ok(check, `${says} the secrets in the database.`), ...(await checkKeyFile(settings))]
  } catch (error) {
    const advice = 'Give the service the key that it had: nothing else opens the secrets.'
    return [problem(check, `${reasonOf(error)}.`, advice)]
  }
}

async function checkKeyFile({ dataDir }: DoctorSettings): Promise<Finding[]> {
  const path = keyFileOf(dataDir)
  const found = await stat(path).catch(() => undefined)
  if (!found || process.platform === 'win32') return []
  if ((found.mode & 0o077) === 0) return [ok('keys.file', `Only its owner can read ${path}.`)]
  return [problem('keys.file', `Others can read the key file ${path}.`, `Run: chmod 600 ${path}`)]
}
