import { Code } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { EmptyState } from '../../../ui/notices.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { NewKeyDialog } from './api-key-dialogs.tsx'
import { ApiKeyTable } from './api-key-table.tsx'

/** The API keys of the organization, for those who manage its account. */
export function ApiKeysPage() {
  const [isAdding, setAdding] = useState(false)
  const may = useMay('manage_account')
  const answer = useApi('GET /api-keys', {}, { enabled: may })
  const add = (
    <ActionButton needs="manage_account" onClick={() => setAdding(true)}>
      {t('New API key')}
    </ActionButton>
  )
  return (
    <SettingsPage
      title={t('API keys')}
      description={t('For programs that use the API.')}
      actions={(answer.data?.data.length ?? 0) > 0 && add}
    >
      {!may && (
        <EmptyState title={t('You cannot see API keys')}>
          {t('You have no permission to manage the account. An owner can give it to you.')}
        </EmptyState>
      )}
      {may && <ApiKeyTable answer={answer} empty={<NoKey add={add} />} />}
      {isAdding && <NewKeyDialog onClose={() => setAdding(false)} />}
    </SettingsPage>
  )
}

function NoKey({ add }: { add: React.ReactNode }) {
  return (
    <EmptyState title={t('No API keys yet')} actions={add}>
      {rich(
        'A program sends its key as {code}. It may read, and change what you allow; it can be limited to the devices of a group, to addresses, and to a time. It goes on when people leave, and ends when it is revoked.',
        { code: <Code>{t('Authorization: Bearer')}</Code> },
      )}
    </EmptyState>
  )
}
