import { hasCode } from '../files.ts'
import { SetupError } from '../setup-error.ts'

/** What PostgreSQL says when it can't start on its data, and what to do. */
const remedies: [RegExp, (cluster: string) => string][] = [
  [
    /has invalid permissions/,
    (cluster) => `other users may enter ${cluster}: run "chmod 700 ${cluster}"`,
  ],
  [
    /wrong ownership|Permission denied/,
    (cluster) =>
      `the files in ${cluster} are not all its own: they must belong to the user that PostgreSQL runs as` +
      ' ("chown -R"; as root that is "postgres", otherwise the user of this program)',
  ],
  [/pg_control/, (cluster) => loss(cluster, 'global/pg_control')],
  [/No space left on device/, (cluster) => `the disk of ${cluster} is full: make room`],
]

/** Turns the end of PostgreSQL at its start into what a person has to do. */
export function describeStartFailure(cluster: string, end: string, lastWords: string): SetupError {
  const remedy = remedies.find(([pattern]) => pattern.test(lastWords))?.[1](cluster)
  const said = lastWords.split('\n').filter((line) => /^(FATAL|PANIC|postgres): /.test(line))
  const words = (said.length > 0 ? said : lastWords.split('\n')).join(' ').replace(/ {2,}/g, ' ')
  return new SetupError(
    `PostgreSQL did not start${remedy ? `: ${remedy}.` : ` on ${cluster}.`} It said (${end}): ${words}`,
  )
}

/** The data directory lacks a file that PostgreSQL can't do without. */
export function describeLoss(cluster: string, file: string): SetupError {
  return new SetupError(`PostgreSQL did not start: ${loss(cluster, file)}.`)
}

function loss(cluster: string, file: string): string {
  return (
    `${cluster} is incomplete, for ${file} is missing: copy the whole directory again, or restore a` +
    ' backup into a new DATA_DIR (docs/operation.md, "Restore")'
  )
}

/** A file or directory below `dataDir` is closed to this user. Returns other errors as they are. */
export function describeDeniedAccess(dataDir: string, error: unknown): unknown {
  if (error instanceof SetupError || !(error instanceof Error)) return error
  if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) return error
  return new SetupError(
    `A part of DATA_DIR ${dataDir} is closed to this user (${error.message}): give all of it to the user` +
      ' of this program ("chown -R"), or start the program as the user that made it.',
  )
}
