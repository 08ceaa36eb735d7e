import { Stack, Text } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { type Column, List } from '../../ui/list/list.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import type { AccountState } from './network-words.ts'

type UnreadMember = AccountState['unread_members'][number]

const columns: Column<UnreadMember>[] = [
  { title: t('Member'), cell: ({ member }) => <code>{member}</code> },
  { title: t('Messages'), isNumber: true, cell: ({ count }) => formatCount(count) },
  { title: t('Last value'), cell: ({ last_example }) => <code>{last_example}</code> },
  { title: t('Last seen'), isOneLine: true, cell: ({ last_at }) => <Time value={last_at} /> },
]

/** What the network's messages had that could not be used. */
export function UnreadMembers({ members }: { members: readonly UnreadMember[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t(
          "These members of the network's messages were missing or could not be used. The uplinks are stored without them.",
        )}
      </Text>
      <List
        caption={t('Members of messages that were left out')}
        columns={columns}
        rows={members}
        keyOf={({ member }) => member}
      />
    </Stack>
  )
}
