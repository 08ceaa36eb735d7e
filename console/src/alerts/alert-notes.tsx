import { Text } from '@mantine/core'
import { t } from '../languages/text.ts'
import { Time } from '../ui/time.tsx'
import classes from './alert-notes.module.css'
import type { Alert } from './alert-words.ts'

/** What members have written about an alert, the oldest first. */
export function AlertNotes({ notes }: Pick<Alert, 'notes'>) {
  if (notes.length === 0) return null
  return (
    <ul className={classes.notes} aria-label={t('What colleagues wrote')}>
      {notes.map(({ text, at, by }) => (
        <li key={at}>
          <Text size="xs" c="dimmed">
            {by.name}, <Time value={at} />
          </Text>
          <Text size="sm" className={classes.text}>
            {text}
          </Text>
        </li>
      ))}
    </ul>
  )
}
