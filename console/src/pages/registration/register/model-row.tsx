import { Anchor, Group, Text } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { State } from '../../../ui/state.tsx'
import { type Model, nameOf } from './models.ts'

interface ModelRowProps {
  model: Model
  isChosen: boolean
  onChoose: () => void
}

/** A model that was found, to be chosen. */
export function ModelRow({ model, isChosen, onChoose }: ModelRowProps) {
  const hasType = model.device_type !== null
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <ModelWords model={model} />
      {isChosen ? (
        <State kind="good">{t('Chosen')}</State>
      ) : (
        <ActionButton
          size="xs"
          variant="default"
          flex="none"
          needs="manage_devices"
          blockedBy={
            hasType || model.has_codec
              ? undefined
              : t('The catalogue has no codec for it. Choose a type below.')
          }
          aria-label={t('Choose {name}', { name: nameOf(model) })}
          onClick={onChoose}
        >
          {t('Choose')}
        </ActionButton>
      )}
    </Group>
  )
}

/** Brand and model, and what tells it from others. */
export function ModelWords({ model }: { model: Model }) {
  const { part_number: part, regions, source, data_sheet: sheet } = model
  const facts = [part, regions.join(', '), source.name].filter(Boolean)
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={600}>
        {nameOf(model)}
      </Text>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
        {sheet !== null && (
          <>
            {' · '}
            <Anchor inherit underline="always" href={sheet} target="_blank" rel="noreferrer">
              {t('Data sheet')}
            </Anchor>
          </>
        )}
      </Text>
    </div>
  )
}
