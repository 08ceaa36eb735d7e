import { Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { LinkButton } from '../../../ui/link.tsx'
import { EmptyState } from '../../../ui/notices.tsx'
import { choicesOf, isUsed } from '../register/registration-form.ts'
import type { ImportRules } from './convert-row.ts'
import type { useChoices } from './use-choices.ts'

interface RuleFieldsProps {
  rules: ImportRules
  choices: ReturnType<typeof useChoices>
  onChange: (changed: Partial<ImportRules>) => void
}

/** What holds for all rows whose own columns do not say otherwise. */
export function RuleFields({ rules, choices, onChange }: RuleFieldsProps) {
  const { networks, types, form } = choices
  if (networks.length === 0) {
    return (
      <EmptyState
        title={t('No network is connected yet')}
        actions={<LinkButton to="/networks">{t('Connect a network')}</LinkButton>}
      >
        {t('Devices are registered at a network: connect yours first.')}
      </EmptyState>
    )
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby="rules">
      <Title order={2} size="h4" id="rules">
        {t('For all rows')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('A value in a column above takes precedence.')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 4 }} spacing="sm">
        <Select
          label={t('Network')}
          data={networks.map(({ key, name }) => ({ value: key, label: name }))}
          value={rules.network}
          onChange={(network) => onChange({ network, frequencyPlan: null, appRegion: null })}
        />
        <Select
          label={t('Type')}
          searchable
          clearable
          nothingFoundMessage={t('No type has this in its name')}
          data={types.map(({ id, name }) => ({ value: id, label: name }))}
          value={rules.deviceType}
          onChange={(deviceType) => onChange({ deviceType })}
        />
        {form && isUsed(form, 'appRegion') && (
          <Select
            label={t('Region')}
            clearable
            data={choicesOf(form, 'appRegion')}
            value={rules.appRegion}
            onChange={(appRegion) => onChange({ appRegion })}
          />
        )}
        {form && isUsed(form, 'frequencyPlan') && (
          <Select
            label={t('Frequency plan')}
            searchable
            clearable
            data={choicesOf(form, 'frequencyPlan')}
            value={rules.frequencyPlan}
            onChange={(frequencyPlan) => onChange({ frequencyPlan })}
          />
        )}
      </SimpleGrid>
    </Stack>
  )
}
