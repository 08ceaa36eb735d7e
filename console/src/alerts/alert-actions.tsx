import { Button, Group, Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useSession } from '../session/session.ts'
import { ActionButton, useReason } from '../ui/action-button.tsx'
import { tellFailure, tellSuccess } from '../ui/notices.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { type Alert, alertReads, muteChoices, muteUntil, nameOfSubject } from './alert-words.ts'
import { AssignDialog } from './assign-dialog.tsx'

interface AlertActionsProps {
  alert: Alert
  /** Further entries of the menu. */
  children?: ReactNode
}

/** What a member does about an alert: acknowledge it, take it, give it away, snooze it, close it. */
export function AlertActions({ alert, children }: AlertActionsProps) {
  const [asked, setAsked] = useState<'note' | 'assignee'>()
  const close = () => setAsked(undefined)
  return (
    <Group gap="xs">
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        onClick={() => setAsked('note')}
      >
        {alert.acknowledged_at === null ? t('Acknowledge') : t('Note')}
      </ActionButton>
      {alert.state === 'open' && (
        <ActionMenu alert={alert} onAssign={() => setAsked('assignee')}>
          {children}
        </ActionMenu>
      )}
      {asked === 'note' && <AcknowledgeDialog alert={alert} onClose={close} />}
      {asked === 'assignee' && <AssignDialog alert={alert} onClose={close} />}
    </Group>
  )
}

interface ActionMenuProps {
  alert: Alert
  onAssign: () => void
  children: ReactNode
}

function ActionMenu({ alert, onAssign, children }: ActionMenuProps) {
  const reason = useReason('manage_devices')
  const { user } = useSession().session
  const change = useAction('PATCH /alerts/{alert_id}', {
    invalidates: alertReads,
    onError: (error) => tellFailure(t('The alert is not changed'), error),
  })
  const path = { alert_id: String(alert.id) }
  const closeIt = () =>
    change.mutate(
      { path, body: { state: 'closed' } },
      { onSuccess: () => tellSuccess(t('Alert closed. It is in the history.')) },
    )
  const snooze = (until: string | null) => change.mutate({ path, body: { snoozed_until: until } })
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('More about the alert of {alert}', { alert: nameOfSubject(alert) })}
          title={reason}
          disabled={reason !== undefined}
        >
          {t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {alert.assigned_to?.id !== user.id && (
          <Menu.Item onClick={() => change.mutate({ path, body: { assignee: user.id } })}>
            {t('Take it')}
          </Menu.Item>
        )}
        <Menu.Item onClick={onAssign}>{t('Assign to a colleague')}</Menu.Item>
        <Menu.Label>{t('Snooze')}</Menu.Label>
        {muteChoices.map(({ hours, label }) => (
          <Menu.Item key={hours} onClick={() => snooze(muteUntil(hours))}>
            {label}
          </Menu.Item>
        ))}
        {alert.snoozed_until !== null && (
          <Menu.Item onClick={() => snooze(null)}>{t('End the snooze')}</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item onClick={closeIt}>{t('Close')}</Menu.Item>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
