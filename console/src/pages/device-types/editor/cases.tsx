import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { t } from '../../../languages/text.ts'
import classes from '../device-types.module.css'
import { CaseCard } from './case-card.tsx'
import { type Case, emptyCase } from './draft.ts'
import type { Check } from './use-check.ts'

interface CasesProps {
  cases: readonly Case[]
  check: Check
  onChange: (cases: readonly Case[]) => void
}

/** The cases of a codec. All are run after every change. */
export function Cases({ cases, check, onChange }: CasesProps) {
  const replace = (key: string, changes: Partial<Case>) =>
    onChange(cases.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  return (
    <Stack gap="xs" component="section" aria-label={t('Cases')}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('Cases')}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...cases, emptyCase('decodeUplink')])}
        >
          {t('Add a case')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {countText(cases, check)}
      </Text>
      <ol className={classes.plain}>
        {cases.map((one, index) => (
          <CaseCard
            key={one.key}
            given={one}
            number={index + 1}
            result={check.results.get(one.key)}
            onChange={(changes) => replace(one.key, changes)}
            onRemove={() => onChange(cases.filter(({ key }) => key !== one.key))}
          />
        ))}
      </ol>
    </Stack>
  )
}

function countText(cases: readonly Case[], { results, fault, isRunning }: Check): string {
  if (cases.length === 0) return t('A case is a frame with the result that it must have.')
  if (fault) return t('No case can run until the codec is fixed.')
  if (isRunning && results.size === 0) return 'Running.'
  const passed = [...results.values()].filter((result) => result.passed).length
  return t('{passed} of {count} passed.', { passed, count: cases.length })
}
