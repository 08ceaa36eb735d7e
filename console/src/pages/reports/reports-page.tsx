import { Anchor, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { List } from '../../ui/list/list.tsx'
import { EmptyState, ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { periodNames, type Report, ReportDialog } from './report-dialog.tsx'

/** Milliseconds between two looks: a report is sent within seconds. */
const lookInterval = 5000

/** What is sent by mail every week or month. */
export function ReportsPage() {
  const [edited, setEdited] = useState<Report | 'new'>()
  const answer = useApi('GET /reports', {}, { refetchInterval: lookInterval })
  const { data } = answer
  const add = (
    <ActionButton needs="manage_widget_dashboard" onClick={() => setEdited('new')}>
      {t('New report')}
    </ActionButton>
  )
  return (
    <Page
      title={t('Reports')}
      guide="reports.html"
      description={t('Measurements by mail, every week or every month.')}
      actions={data && data.data.length > 0 && add}
    >
      {data && !data.can_mail && (
        <Text size="sm" c="dimmed">
          {t('This service has no mail server, so no report is sent.')}
        </Text>
      )}
      <List
        caption={t('Reports')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Report'), cell: (report) => <Name report={report} onEdit={setEdited} /> },
          { title: t('State'), cell: (report) => <ReportState report={report} /> },
          { title: t('Last sent'), cell: ({ sent_at }) => <Time value={sent_at} />, isExtra: true },
          { title: t('Next'), cell: ({ next_at }) => <Time value={next_at} />, isExtra: true },
          {
            title: t('Actions'),
            cell: (report) => <Actions report={report} canMail={data?.can_mail ?? false} />,
          },
        ]}
        empty={
          <EmptyState title={t('No reports yet')} actions={add}>
            {t(
              'A report sends the lowest, average and highest values of your devices by mail, as a PDF and as a table for spreadsheets.',
            )}
          </EmptyState>
        }
      />
      {edited && (
        <ReportDialog
          report={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/** A link that opens the report, for members who may change it. */
function Name({ report, onEdit }: { report: Report; onEdit: (report: Report) => void }) {
  const may = useMay('manage_widget_dashboard')
  const { name, period } = report
  return (
    <>
      {may ? (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onEdit(report)}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      <Text size="xs" c="dimmed">
        {periodNames[period]}
      </Text>
    </>
  )
}

function ReportState({ report: { state, is_active, failure } }: { report: Report }) {
  const reason = failure !== null && (
    <Text size="xs" c="dimmed">
      {failure}
    </Text>
  )
  return (
    <>
      {state === 'sending' && <State kind="waiting">{t('Sending')}</State>}
      {state === 'failed' && <State kind="bad">{t('Not sent')}</State>}
      {state === 'sent' && <State kind="good">{t('Sent')}</State>}
      {state === 'waiting' && <State kind="off">{is_active ? t('Not sent yet') : t('Off')}</State>}
      {reason}
    </>
  )
}

const reads = ['GET /reports'] as const

function Actions({ report, canMail }: { report: Report; canMail: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const path = { report_id: String(report.id) }
  const send = useAction('POST /reports/{report_id}/send', {
    invalidates: reads,
    onSuccess: () => tellSuccess(t('The report is being sent.')),
  })
  const remove = useAction('DELETE /reports/{report_id}', { invalidates: reads })
  return (
    <Group gap="xs">
      <ActionButton
        needs="manage_widget_dashboard"
        size="compact-sm"
        variant="default"
        loading={send.isPending}
        blockedBy={canMail ? undefined : t('This service has no mail server.')}
        onClick={() => send.mutate({ path })}
      >
        {t('Send now')}
      </ActionButton>
      <ActionButton
        needs="manage_widget_dashboard"
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
      >
        {t('Delete')}
      </ActionButton>
      <Confirm
        opened={isAsking}
        title={t('Delete {name}?', { name: report.name })}
        action="Delete"
        onConfirm={() => remove.mutateAsync({ path })}
        onClose={() => setAsking(false)}
      >
        {t('Nobody gets it any more.')}
      </Confirm>
      {send.error && <ErrorNotice error={send.error} />}
    </Group>
  )
}
