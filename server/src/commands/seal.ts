import { keyIdOf } from '../db/seal.ts'
import { keyFileOf } from '../db/secret-keys.ts'
import { SetupError } from '../db/setup-error.ts'
import { checkKeys } from '../features/operation/sealing/proof.ts'
import { type SealOutcome, sealAgain } from '../features/operation/sealing/seal-again.ts'
import { command } from './command.ts'

/** Most secrets without a key that are named. */
const mostNamed = 10

export const seal = command({
  name: 'seal',
  parameters: [],
  summary: 'seals every secret again with the first key of SECRET_KEY',
  help: `To change the key:
  1. Set SECRET_KEY to the new key and the old one, separated by a comma. The key file in DATA_DIR
     counts as the last key, without being named. Restart the service, every process of it.
  2. Run this with the same settings. The service may run meanwhile; Ctrl-C does no harm, and the
     next run goes on.
  3. When it says so, take the old key out of SECRET_KEY, or remove the key file.`,
  options: {},
  run: ({ config, say, withDatabase }) =>
    withDatabase(async ({ db }) => {
      const { keys, proofs } = await checkKeys(db, config)
      const [first, ...others] = keys
      if (!first || !proofs.some(({ key_id }) => key_id.equals(keyIdOf(first)))) {
        throw new SetupError(
          'The service has not run with this first key yet: restart it with this SECRET_KEY, every' +
            ' process of it, then run this again.',
        )
      }
      const outcome = await sealAgain(db, [first, ...others], say)
      const result = { key: keyIdOf(first).toString('hex'), ...outcome }
      for (const line of describe(outcome, result.key)) say(line)
      if (!outcome.isDone) throw new Error('The service held some secrets: run this again.')
      if (others.length === 0) return result
      say(
        'The other keys are not needed any more: take them out of SECRET_KEY (or remove the file' +
          ` ${keyFileOf(config.dataDir)}) and restart the service. Backups from before need them.`,
      )
      return result
    }),
})

function describe({ sealed, unopened }: SealOutcome, keyId: string): string[] {
  const done = `${sealed} secrets were sealed again with the key ${keyId}.`
  if (unopened.length === 0) return [done]
  const named = unopened.slice(0, mostNamed).join(', ')
  const more = unopened.length > mostNamed ? ' and more' : ''
  return [done, `${unopened.length} open with no key and were left as they are: ${named}${more}.`]
}
