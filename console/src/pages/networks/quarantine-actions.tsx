import { Group } from '@mantine/core'
import { useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { AdoptDialog } from './adopt-dialog.tsx'
import type { FleetNetwork } from './network-words.ts'
import type { QuarantinedEui } from './quarantine-tab.tsx'

interface QuarantineActionsProps {
  network: FleetNetwork
  method: AccountKey
  row: QuarantinedEui
}

/** Adopts if the network lists its devices, otherwise registers; and drops. */
export function QuarantineActions({ network, method, row }: QuarantineActionsProps) {
  const [open, setOpen] = useState<'adopt' | 'drop'>()
  const isDevice = /^[0-9A-F]{16}$/.test(row.eui) && !row.is_registered
  const mayAdopt = network.capabilities.lists.includes('devices')
  return (
    <Group gap={4}>
      {isDevice && mayAdopt && (
        <ActionButton
          size="compact-sm"
          variant="default"
          needs="manage_account"
          aria-label={t('Adopt {eui}', { eui: row.eui })}
          onClick={() => setOpen('adopt')}
        >
          {t('Adopt')}
        </ActionButton>
      )}
      {isDevice && network.docs !== null && (
        <LinkButton
          size="compact-sm"
          variant="default"
          to="/register"
          search={{ network: network.key, eui: row.eui }}
          aria-label={t('Register {eui}', { eui: row.eui })}
        >
          {t('Register')}
        </LinkButton>
      )}
      <ActionButton
        size="compact-sm"
        variant="default"
        needs="manage_account"
        aria-label={t('Drop {eui}', { eui: row.eui })}
        onClick={() => setOpen('drop')}
      >
        {t('Drop')}
      </ActionButton>
      {open === 'adopt' && (
        <AdoptDialog
          network={network}
          method={method}
          eui={row.eui}
          onClose={() => setOpen(undefined)}
        />
      )}
      <Drop
        network={network}
        method={method}
        row={row}
        isOpen={open === 'drop'}
        onClose={() => setOpen(undefined)}
      />
    </Group>
  )
}

type DropProps = QuarantineActionsProps & { isOpen: boolean; onClose: () => void }

function Drop({ network, method, row, isOpen, onClose }: DropProps) {
  const drop = useAction('DELETE /network-accounts/{network}/quarantine/{eui}', {
    invalidates: ['GET /network-accounts/{network}/quarantine', 'GET /fleet/networks'],
    onSuccess: ({ data }) =>
      tellSuccess(
        t('{dropped, plural, one {# message} other {# messages}} dropped.', {
          dropped: data.dropped,
        }),
      ),
  })
  return (
    <Confirm
      opened={isOpen}
      title={t('Drop these messages?')}
      action={t('Drop {count, plural, one {# message} other {# messages}}', { count: row.count })}
      onClose={onClose}
      onConfirm={() =>
        drop.mutateAsync({
          path: { network: network.key, eui: row.eui },
          query: accountInQuery(method),
        })
      }
    >
      {t(
        '{count, plural, one {# message} other {# messages}} of {eui} are deleted, and cannot become uplinks any more. What comes later is quarantined again.',
        { count: row.count, eui: row.eui === '--' ? t('no device') : row.eui },
      )}
    </Confirm>
  )
}
