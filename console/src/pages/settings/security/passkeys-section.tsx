import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { Time } from '../../../ui/time.tsx'
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'

export type Passkey = Answer<'GET /user/passkeys'>['data'][number]

/** The passkeys of the user, and another one. */
export function PasskeysSection() {
  const [isAdding, setAdding] = useState(false)
  const answer = useApi('GET /user/passkeys', {})
  const { data, origin, most } = answer.data ?? { data: [], origin: undefined, most: 10 }
  return (
    <Card
      title={t('Passkeys')}
      note={t(
        'A passkey is a key in your phone, computer or password manager, or on a security key. At a login it takes the place of the code.',
      )}
      actions={
        <ActionButton
          variant="default"
          size="xs"
          blockedBy={whyNot(origin, data.length >= most ? most : undefined)}
          onClick={() => setAdding(true)}
        >
          {t('Add a passkey')}
        </ActionButton>
      }
    >
      <Where origin={origin} />
      {data.length > 0 && (
        <List
          caption={t('Your passkeys')}
          answer={answer}
          keyOf={({ id }) => id}
          columns={columns}
        />
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </Card>
  )
}

function whyNot(origin: string | null | undefined, limit: number | undefined): string | undefined {
  if (origin !== undefined && origin !== location.origin)
    return t('Passkeys do not work at this address.')
  if (limit !== undefined) return t('You have {limit} passkeys. Remove one first.', { limit })
  return undefined
}

/** Where passkeys work, if not here. */
function Where({ origin }: { origin: string | null | undefined }) {
  if (origin === undefined || origin === location.origin) return null
  return (
    <Text size="sm">
      {origin === null
        ? t(
            'Browsers have passkeys only over HTTPS, and at a name. Ask the operator of this service to set PUBLIC_URL to such an address.',
          )
        : t('Passkeys work only at {origin}. Open the console there.', { origin })}
    </Text>
  )
}

const columns: readonly Column<Passkey>[] = [
  { title: t('Name'), cell: ({ name }) => name },
  { title: t('Added'), cell: ({ created_at }) => <Time value={created_at} />, isExtra: true },
  {
    title: t('Last used'),
    cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : t('Never')),
  },
  { title: t('Action'), cell: (passkey) => <Actions passkey={passkey} /> },
]

function Actions({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const { name } = passkey
  const close = () => setOpen(undefined)
  return (
    <>
      <ActionButton
        size="compact-xs"
        variant="default"
        aria-label={t('Rename {name}', { name })}
        onClick={() => setOpen('rename')}
      >
        {t('Rename')}
      </ActionButton>{' '}
      <ActionButton
        size="compact-xs"
        variant="default"
        aria-label={t('Remove {name}', { name })}
        onClick={() => setOpen('remove')}
      >
        {t('Remove')}
      </ActionButton>
      {open === 'rename' && <RenamePasskey passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskey passkey={passkey} onClose={close} />}
    </>
  )
}
