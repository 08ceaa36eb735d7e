import { Checkbox, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { Mapping } from '../../../../../server/src/lora/device-file/columns.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { CheckReport } from './check-report.tsx'
import { ColumnMapping } from './column-mapping.tsx'
import type { ImportRules } from './convert-row.ts'
import type { CsvFile } from './csv-file.ts'
import type { CheckResult } from './csv-table.ts'
import { readMapping, rememberMapping } from './import-fields.ts'
import { RuleFields } from './rule-fields.tsx'
import { sendRows } from './send-rows.ts'
import { SendingState, type Sent } from './sending-state.tsx'
import { useChoices } from './use-choices.ts'

interface ImportPlanProps {
  file: CsvFile
  /** A job whose transfer was interrupted. */
  job: number | undefined
  onOther: () => void
}

type Rules = Omit<ImportRules, 'mapping' | 'networks' | 'types'>

const noRules: Rules = { network: null, deviceType: null, appRegion: null, frequencyPlan: null }

/** What the columns are, what holds for all rows, what is wrong, and then the job. */
export function ImportPlan({ file, job, onOther }: ImportPlanProps) {
  const [mapping, setMapping] = useState<Mapping>(() => readMapping(file.headers))
  const [chosen, setChosen] = useState<Rules>(noRules)
  const [createsGroups, setCreatesGroups] = useState(true)
  const choices = useChoices(chosen.network)
  const { networks, types } = choices
  const [only] = networks
  const network = chosen.network ?? (networks.length === 1 ? (only?.key ?? null) : null)
  const rules = useMemo<ImportRules>(
    () => ({ ...chosen, network, mapping, networks, types }),
    [chosen, network, mapping, networks, types],
  )
  const checked = useChecked(file, rules)
  const sending = useSending(file, rules, createsGroups, job)
  const mayGroup = useMay('manage_groups')
  if (choices.isPending) return <LoadingLines />
  if (sending.sent)
    return <SendingState sent={sending.sent} total={file.total} stop={sending.stop} />
  return (
    <Stack gap="lg">
      {choices.error && <ErrorNotice error={choices.error} />}
      <ColumnMapping file={file} mapping={mapping} onChange={setMapping} />
      <RuleFields
        rules={rules}
        choices={choices}
        onChange={(more) => setChosen({ ...chosen, ...more })}
      />
      {mapping.groupPath !== undefined && (
        <Checkbox
          label={t('Create missing groups')}
          description={mayGroup ? undefined : t('You have no permission to manage groups.')}
          checked={createsGroups && mayGroup}
          disabled={!mayGroup}
          onChange={({ currentTarget }) => setCreatesGroups(currentTarget.checked)}
        />
      )}
      <CheckReport total={file.total} checked={checked} />
      {sending.problem !== undefined && <ErrorNotice error={sending.problem} />}
      <Group justify="flex-end">
        <ActionButton variant="subtle" onClick={onOther}>
          {t('Choose another file')}
        </ActionButton>
        <SendButtons
          total={file.total}
          checked={checked}
          isResumed={job !== undefined}
          send={sending.send}
        />
      </Group>
    </Stack>
  )
}

interface SendButtonsProps {
  total: number
  checked: CheckResult | undefined
  isResumed: boolean
  send: (isDryRun: boolean) => void
}

function SendButtons({ total, checked, isResumed, send }: SendButtonsProps) {
  const isAllWrong = checked?.faulty === total
  const blockedBy = isAllWrong ? t('Every row has a fault: check the columns above.') : undefined
  if (isResumed) {
    return (
      <ActionButton needs="manage_devices" blockedBy={blockedBy} onClick={() => send(false)}>
        {t('Resume sending')}
      </ActionButton>
    )
  }
  return (
    <>
      <ActionButton
        variant="default"
        needs="manage_devices"
        blockedBy={blockedBy}
        onClick={() => send(false)}
      >
        {t('Register {total, plural, one {# device} other {# devices}} at once', { total })}
      </ActionButton>
      <ActionButton needs="manage_devices" blockedBy={blockedBy} onClick={() => send(true)}>
        {t('Dry run')}
      </ActionButton>
    </>
  )
}

/** What is wrong with the rows by these rules; undefined while they are checked. */
function useChecked(file: CsvFile, rules: ImportRules): CheckResult | undefined {
  const [checked, setChecked] = useState<CheckResult>()
  useEffect(() => {
    let isOld = false
    setChecked(undefined)
    void file.check(rules).then((result) => !isOld && setChecked(result))
    return () => {
      isOld = true
    }
  }, [file, rules])
  return checked
}

/** Sends the rows, and opens the job when all are there. Leaving the page stops the sending. */
function useSending(
  file: CsvFile,
  rules: ImportRules,
  createsGroups: boolean,
  resumed: number | undefined,
) {
  const navigate = useNavigate()
  const [sent, setSent] = useState<Sent>()
  const [problem, setProblem] = useState<unknown>()
  const [stopping, setStopping] = useState<AbortController>()
  useEffect(() => () => stopping?.abort(), [stopping])
  const send = async (isDryRun: boolean) => {
    const stop = new AbortController()
    setStopping(stop)
    setProblem(undefined)
    rememberMapping(file.headers, rules.mapping)
    const tell = (count: number, trouble: string | undefined) => setSent({ count, trouble })
    try {
      const id = await sendRows({
        file,
        rules,
        isDryRun,
        createsGroups,
        resumed,
        tell,
        signal: stop.signal,
      })
      await navigate({ to: '/jobs/$id', params: { id: String(id) }, ignoreBlocker: true })
    } catch (error) {
      setSent(undefined)
      if (!stop.signal.aborted) setProblem(error)
    }
  }
  return {
    sent,
    problem,
    send: (isDryRun: boolean) => void send(isDryRun),
    stop: () => stopping?.abort(),
  }
}
