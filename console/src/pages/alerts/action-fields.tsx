import { Fieldset, Group, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { DeviceIdSelect } from '../../sources/source-selects.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { blankAction, type TypedAction } from './action-values.ts'

const mostActions = 5

interface ActionFieldsProps {
  actions: readonly TypedAction[]
  perHour: number | ''
  onChange: (change: { actions?: TypedAction[]; perHour?: number | '' }) => void
  errorOf: (field: string) => string | undefined
}

/** What is done when an alert of the rule opens or closes, besides telling people. */
export function ActionFields({ actions, perHour, onChange, errorOf }: ActionFieldsProps) {
  return (
    <>
      {actions.map((action, at) => (
        <ActionField
          // biome-ignore lint/suspicious/noArrayIndexKey: an action has no name of its own
          key={at}
          action={action}
          number={at + 1}
          errorOf={(field) => errorOf(`actions.${at}.${field}`)}
          onChange={(change) =>
            onChange({
              actions: actions.map((one, place) => (place === at ? { ...one, ...change } : one)),
            })
          }
          onRemove={() => onChange({ actions: actions.filter((_, place) => place !== at) })}
        />
      ))}
      {errorOf('actions') && (
        <Text size="sm" c="red">
          {errorOf('actions')}
        </Text>
      )}
      {actions.length < mostActions && (
        <Group>
          <ActionButton
            size="compact-sm"
            variant="default"
            onClick={() => onChange({ actions: [...actions, blankAction] })}
          >
            {t('Add an action')}
          </ActionButton>
        </Group>
      )}
      {actions.length > 0 && (
        <NumberInput
          label={t('Actions in an hour at most')}
          description={t(
            'What is above is not done. Actions are done also while the rule is muted.',
          )}
          required
          min={1}
          max={60}
          value={perHour}
          error={errorOf('actions_per_hour')}
          onChange={(count) => onChange({ perHour: count === '' ? '' : Number(count) })}
        />
      )}
    </>
  )
}

interface ActionFieldProps {
  action: TypedAction
  number: number
  errorOf: (field: string) => string | undefined
  onChange: (change: Partial<TypedAction>) => void
  onRemove: () => void
}

function ActionField({ action, number, errorOf, onChange, onRemove }: ActionFieldProps) {
  const mayCall = useMay('manage_account')
  return (
    <Fieldset legend={t('Action {number}', { number })}>
      <Select
        label={t('Do')}
        allowDeselect={false}
        data={[
          { value: 'downlink', label: t('Send a downlink') },
          { value: 'webhook', label: t('Call a webhook'), disabled: !mayCall },
        ]}
        value={action.type}
        onChange={(type) => onChange({ type: type as TypedAction['type'] })}
      />
      <Select
        label={t('When')}
        allowDeselect={false}
        data={[
          { value: 'open', label: t('The alert opens') },
          { value: 'close', label: t('The alert is over') },
        ]}
        value={action.at}
        onChange={(at) => onChange({ at: at as TypedAction['at'] })}
      />
      {action.type === 'downlink' ? (
        <DownlinkFields {...{ action, errorOf, onChange }} />
      ) : (
        <WebhookField {...{ action, errorOf, onChange }} />
      )}
      <Group mt="sm">
        <ActionButton size="compact-sm" variant="default" onClick={onRemove}>
          {t('Remove action {number}', { number })}
        </ActionButton>
      </Group>
    </Fieldset>
  )
}

type PartProps = Pick<ActionFieldProps, 'action' | 'errorOf' | 'onChange'>

function DownlinkFields({ action, errorOf, onChange }: PartProps) {
  return (
    <>
      <DeviceIdSelect
        label={t('To the device')}
        description={t('Empty: the device that the alert is about.')}
        value={action.device}
        error={errorOf('device')}
        onChange={(device) => onChange({ device })}
      />
      <NumberInput
        label="fPort"
        required
        min={1}
        max={223}
        value={action.fPort}
        error={errorOf('f_port')}
        onChange={(fPort) => onChange({ fPort: fPort === '' ? '' : Number(fPort) })}
      />
      <TextInput
        label={t('Payload')}
        description={t('Bytes in hexadecimal, such as 01 00.')}
        required
        value={action.payload}
        error={errorOf('payload')}
        onChange={(event) => onChange({ payload: event.currentTarget.value })}
      />
    </>
  )
}

function WebhookField({ action, errorOf, onChange }: PartProps) {
  const { data } = useApi('GET /webhooks', {})
  return (
    <Select
      label={t('Webhook')}
      description={t('It gets the alert, whatever events it has chosen.')}
      required
      allowDeselect={false}
      data={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={action.webhook === undefined ? null : String(action.webhook)}
      error={errorOf('webhook')}
      onChange={(id) => onChange({ webhook: Number(id) })}
    />
  )
}
