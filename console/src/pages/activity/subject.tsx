import { Text } from '@mantine/core'
import { Link } from '../../ui/link.tsx'
import type { Activity } from './activity-words.ts'

/** The thing that was changed, with a link to it where it has a page and still exists. */
export function Subject({ activity }: { activity: Activity }) {
  const { kind, subject, name, action } = activity
  const isGone = action === 'deleted' || action === 'disconnected'
  const words = name ?? subject ?? '–'
  const isDevice = kind === 'device' || kind === 'downlink'
  if (isDevice && subject && !isGone) {
    return (
      <>
        <Link to="/devices/$eui" params={{ eui: subject }} fz="sm">
          {words}
        </Link>
        {name && <Id text={subject} />}
      </>
    )
  }
  if (kind === 'account' && subject) {
    return (
      <Link to="/networks/$key" params={{ key: subject }} fz="sm">
        {subject}
      </Link>
    )
  }
  return (
    <>
      {words}
      {name && subject && name !== subject && <Id text={subject} />}
    </>
  )
}

function Id({ text }: { text: string }) {
  return (
    <Text span size="xs" c="dimmed" ff="monospace" ml={6}>
      {text}
    </Text>
  )
}
