import { Modal, Stack } from '@mantine/core'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { Facts } from '../ui/facts.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { LoadingLines } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { AlertActions } from './alert-actions.tsx'
import { AlertNotes } from './alert-notes.tsx'
import { AlertSubject } from './alert-subject.tsx'
import {
  type Alert,
  alertKindNames,
  alertState,
  doneWords,
  factsOf,
  placeOf,
} from './alert-words.ts'

/** One alert, as the links of messages open it. */
export function AlertDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useApi('GET /alerts/{alert_id}', { path: { alert_id: String(id) } })
  return (
    <Modal opened onClose={onClose} title={data?.data.rule_name ?? t('Alert')}>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <LoadingLines />}
      {data && <AlertFacts alert={data.data} />}
    </Modal>
  )
}

function AlertFacts({ alert }: { alert: Alert }) {
  const [kind, word] = alertState(alert)
  const { closed_at, closed_by, snoozed_until } = alert
  return (
    <Stack>
      <Facts
        rows={[
          [
            t('State'),
            <State key="state" kind={kind}>
              {word}
            </State>,
          ],
          [t('What'), `${alertKindNames[alert.kind]}: ${factsOf(alert)}`],
          [t('Where'), <AlertSubject key="where" alert={alert} />],
          [t('Group'), placeOf(alert) || undefined],
          [t('Since'), <Time key="since" value={alert.began_at} exact />],
          ...(closed_at
            ? ([[t('Until'), <Time key="until" value={closed_at} exact />]] as const)
            : []),
          ...(closed_by ? ([[t('Closed by'), closed_by.name]] as const) : []),
          ...(snoozed_until
            ? ([[t('Snoozed until'), <Time key="snoozed" value={snoozed_until} exact />]] as const)
            : []),
          [t('Assigned to'), alert.assigned_to?.name],
          [t('Acknowledged by'), alert.acknowledged_by?.name],
          [t('Actions'), doneWords(alert) || undefined],
        ]}
      />
      <AlertNotes notes={alert.notes} />
      <AlertActions alert={alert} />
    </Stack>
  )
}
