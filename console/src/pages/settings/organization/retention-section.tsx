import { Group, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'

/** What the field offers when the organization begins to delete. */
const usualDays = 400
const fewestDays = 7
const mostDays = 36_500

/** How long the organization keeps its uplinks. */
export function RetentionSection() {
  const { data, error, refetch } = useApi('GET /organization/retention', {})
  const mayManage = useMay('manage_account')
  return (
    <Card
      title={t('Uplinks')}
      note={t(
        'How long this organization keeps what its devices have sent. Child organizations have a choice of their own.',
      )}
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={2} />}
      {data && mayManage && <RetentionForm days={data.data.uplink_days} />}
      {data && !mayManage && <Text size="sm">{keptWords(data.data.uplink_days)}</Text>}
    </Card>
  )
}

function keptWords(days: number | null): string {
  return days === null
    ? t('They are kept for ever.')
    : t('They are kept for {days, plural, one {# day} other {# days}}.', { days })
}

function RetentionForm({ days }: { days: number | null }) {
  const [isLimited, setLimited] = useState(days !== null)
  const [wanted, setWanted] = useState<number | string>(days ?? usualDays)
  const [isAsked, setAsked] = useState(false)
  const change = useAction('PATCH /organization/retention', {
    invalidates: ['GET /organization/retention'],
    onSuccess: () => tellSuccess(t('The time is changed.')),
  })
  const next = isLimited ? Number(wanted) : null
  const isDay = next === null || (next >= fewestDays && next <= mostDays)
  const isShorter = next !== null && (days === null || next < days)
  const save = () => change.mutateAsync({ body: { uplink_days: next } })
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('Keep uplinks')}
        value={isLimited ? 'days' : 'ever'}
        onChange={(value) => setLimited(value === 'days')}
      >
        <Group mt={4}>
          <Radio value="ever" label={t('For ever')} />
          <Radio value="days" label={t('For a number of days')} />
        </Group>
      </Radio.Group>
      {isLimited && (
        <NumberInput
          label={t('Days')}
          description={t('{fewestDays} to {mostDays}', {
            fewestDays,
            mostDays: formatCount(mostDays),
          })}
          value={wanted}
          onChange={setWanted}
          min={fewestDays}
          max={mostDays}
          allowDecimal={false}
          maw={200}
        />
      )}
      {change.error && !isAsked && <ErrorNotice error={change.error} />}
      <Group>
        <ActionButton
          needs="manage_account"
          loading={change.isPending}
          blockedBy={
            next === days
              ? t('This is what is kept now.')
              : isDay
                ? undefined
                : t('Enter the days first.')
          }
          onClick={() =>
            isShorter ? setAsked(true) : change.mutate({ body: { uplink_days: next } })
          }
        >
          {t('Save')}
        </ActionButton>
      </Group>
      <Confirm
        opened={isAsked}
        title={t('Delete old uplinks?')}
        action={t('Delete old uplinks')}
        onClose={() => setAsked(false)}
        onConfirm={save}
      >
        {t(
          'Uplinks that are older than {next, plural, one {# day} other {# days}} are deleted now, and further ones as they become so old. They cannot be restored: export them first.',
          { next: next ?? 0 },
        )}
      </Confirm>
    </Stack>
  )
}
