import { writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform, release, totalmem } from 'node:os'
import packageFile from '../../../../package.json' with { type: 'json' }
import { nameOfDatabase, splitHosts } from '../../db/addresses.ts'
import { describeFault } from '../command.ts'
import { type DoctorSettings, type Finding, sizeOf } from './finding.ts'

/** What the report says of the settings: only these, and none that may hold a secret. */
function describeSettings(settings: DoctorSettings): [string, string][] {
  const { databaseUrl, mail, outbound, secretKeys } = settings
  return [
    ['PUBLIC_URL', settings.publicUrl],
    ['HOST and PORT', `${settings.host} ${settings.port}`],
    ['WORKERS', String(settings.workers)],
    ['DATA_DIR', settings.dataDir],
    ['database', databaseUrl ? `external, ${nameOfDatabase(databaseUrl)}` : 'embedded'],
    ['SECRET_KEY', secretKeys.length === 0 ? 'not set' : `set, ${secretKeys.length}`],
    ['SMTP_URL', mail ? `set, ${mail.host}:${mail.port}` : 'not set'],
    ['TRUSTED_PROXIES', settings.trustedProxies.join(', ') || 'not set'],
    ['OUTBOUND_ALLOW', outbound.listed.join(', ') || 'not set'],
  ]
}

/** Writes a report that may be given to others. The file must be a new one. */
export async function writeReport(
  path: string,
  settings: DoctorSettings,
  findings: readonly Finding[],
): Promise<void> {
  const machine = [
    ['version', packageFile.version],
    ['Node', process.version],
    ['system', `${platform()} ${release()} ${arch()}`],
    ['processors', String(availableParallelism())],
    ['memory', sizeOf(totalmem())],
  ] as const
  const text = [
    `# lora-console doctor, ${new Date().toISOString()}`,
    ...section('Machine', machine),
    ...section('Settings', describeSettings(settings)),
    '\n## Findings\n',
    ...findings.map(lineOf),
    '',
  ].join('\n')
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw new Error(`${path} cannot be written: ${describeFault(error)}.`)
  })
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  return [`\n## ${title}\n`, ...rows.map(([name, value]) => `- ${name}: ${value}`)]
}

function lineOf({ check, status, says, advice }: Finding): string {
  return `- ${status} ${check}: ${says}${advice ? ` ${advice}` : ''}`
}

/**
 * Takes secrets out of what is told, wherever they come from: a server may repeat a password in its
 * refusal.
 */
export function withoutSecrets(findings: readonly Finding[], settings: DoctorSettings): Finding[] {
  const secrets = listSecrets(settings)
  const clean = (text: string) => secrets.reduce((rest, one) => rest.replaceAll(one, '***'), text)
  return findings.map((finding) => ({
    ...finding,
    says: clean(finding.says),
    ...(finding.advice === undefined ? {} : { advice: clean(finding.advice) }),
  }))
}

const shortest = 4

function listSecrets({ databaseUrl, mail, secretKeys }: DoctorSettings): string[] {
  const inUrl = databaseUrl ? new URL(splitHosts(databaseUrl)[0] ?? '').password : ''
  const all = [inUrl, decode(inUrl), mail?.login?.pass ?? '', ...secretKeys]
  return all.filter((secret) => secret.length >= shortest)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
