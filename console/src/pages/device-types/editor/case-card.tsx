import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { State } from '../../../ui/state.tsx'
import { Differences } from './differences.tsx'
import { type Case, type ExampleResult, findCaseFaults } from './draft.ts'

interface CaseCardProps {
  given: Case
  number: number
  result: ExampleResult | undefined
  onChange: (changes: Partial<Case>) => void
  onRemove: () => void
}

/** A case: its call, the result that it must have, and what differs. */
export function CaseCard({ given, number, result, onChange, onRemove }: CaseCardProps) {
  const faults = findCaseFaults(given)
  const isEncoder = given.function === 'encodeDownlink'
  const name = given.description || t('Case {number}', { number })
  return (
    <Card component="li" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <CaseState result={result} hasFaults={Object.keys(faults).length > 0} />
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={onRemove}
            aria-label={t('Remove {name}', { name })}
          >
            {t('Remove')}
          </Button>
        </Group>
        <Group align="start" grow preventGrowOverflow={false}>
          <TextInput
            label={t('Name')}
            value={given.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('Function')}
            value={given.function}
            onChange={(event) =>
              onChange({ function: event.currentTarget.value as Case['function'] })
            }
            data={['decodeUplink', 'encodeDownlink', 'decodeDownlink']}
          />
        </Group>
        <Group align="start" wrap="nowrap">
          {isEncoder ? (
            <Textarea
              label={t('Data (JSON)')}
              value={given.data}
              error={faults.data}
              onChange={(event) => onChange({ data: event.currentTarget.value })}
              autosize
              flex={1}
              spellCheck={false}
            />
          ) : (
            <TextInput
              label={t('Bytes (hexadecimal)')}
              value={given.bytes}
              error={faults.bytes}
              onChange={(event) => onChange({ bytes: event.currentTarget.value })}
              flex={1}
              spellCheck={false}
            />
          )}
          <TextInput
            label={t('Port')}
            value={given.port}
            error={faults.port}
            onChange={(event) => onChange({ port: event.currentTarget.value })}
            w="4.5rem"
            inputMode="numeric"
          />
        </Group>
        <Textarea
          label={t('Expected result (JSON)')}
          value={given.output}
          error={faults.output}
          onChange={(event) => onChange({ output: event.currentTarget.value })}
          autosize
          minRows={1}
          maxRows={12}
          spellCheck={false}
        />
        {result && !result.passed && <Failure result={result} onTake={onChange} />}
      </Stack>
    </Card>
  )
}

function CaseState({
  result,
  hasFaults,
}: {
  result: ExampleResult | undefined
  hasFaults: boolean
}) {
  if (hasFaults) return <State kind="warn">{t('Incomplete')}</State>
  if (!result) return <State kind="waiting">{t('Not run')}</State>
  return result.passed ? (
    <State kind="good">{t('Passed')}</State>
  ) : (
    <State kind="bad">{t('Failed')}</State>
  )
}

interface FailureProps {
  result: ExampleResult
  onTake: (changes: Partial<Case>) => void
}

function Failure({ result, onTake }: FailureProps) {
  if (result.error !== null) {
    return (
      <Text size="sm" c="var(--state-bad)">
        {result.error}
      </Text>
    )
  }
  return (
    <>
      <Differences
        differences={result.differences}
        caption={t('What differs')}
        names={[t('Expected'), t('The codec gives')]}
      />
      <Group justify="flex-end">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onTake({ output: JSON.stringify(result.output, null, 2) })}
        >
          {t('Expect what the codec gives')}
        </Button>
      </Group>
    </>
  )
}
