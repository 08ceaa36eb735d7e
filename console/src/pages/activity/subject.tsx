import { Text } from '@mantine/core'
import { Link } from '../../ui/link.tsx'
import type { Activity } from './activity-words.ts'

/** The thing that was changed, with a link to it if it has a page and still exists. */
export function Subject({ activity }: { activity: Activity }) {
  const { subject, name } = activity
  const isEui = subject !== null && /^[0-9A-F]{16}$/.test(subject)
  return (
    <>
      <Named activity={activity} words={name ?? subject ?? '–'} />
      {name && isEui && (
        <Text span size="xs" c="dimmed" ff="monospace" ml={6}>
          {subject}
        </Text>
      )}
    </>
  )
}

function Named({ activity, words }: { activity: Activity; words: string }) {
  const { kind, subject, action } = activity
  if (subject === null || action === 'deleted') return <>{words}</>
  const common = { fz: 'sm', children: words } as const
  switch (kind) {
    case 'device':
    case 'downlink':
      return <Link to="/devices/$eui" params={{ eui: subject }} {...common} />
    case 'gateway':
      return <Link to="/gateways/$gatewayId" params={{ gatewayId: subject }} {...common} />
    case 'group':
      return <Link to="/groups/$groupId" params={{ groupId: subject }} {...common} />
    case 'device_type':
      return <Link to="/device-types/$id" params={{ id: subject }} {...common} />
    case 'job':
      return <Link to="/jobs/$id" params={{ id: subject }} {...common} />
    case 'account':
      return <Link to="/networks/$key" params={{ key: subject }} {...common} />
    default:
      return <>{words}</>
  }
}
