import { Checkbox, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useGroupChoices, useTypeChoices } from '../../../sources/choices.ts'
import { TagChoiceField } from '../../../tags/tag-fields.tsx'
import { DraftNotice, type KeptDraft } from '../../../ui/draft.tsx'
import { Form } from '../../../ui/form.tsx'
import {
  BrokerFields,
  type BrokerValues,
  brokerBodyOf,
  brokerValuesOf,
  type InputOf,
} from './broker-fields.tsx'
import { type EventKind, eventChoices, type Webhook } from './webhook-words.ts'

interface Values {
  name: string
  url: string
  events: EventKind[]
  group: string | null
  type: string | null
  network: string | null
  /** Empty for none. */
  tag: string
  kind: 'server' | 'broker'
  mqtt: BrokerValues
}

interface WebhookFormProps {
  webhook?: Webhook
  draft: KeptDraft<Values>
  action: string
  onSubmit: (body: ReturnType<typeof bodyOf>) => Promise<unknown>
  onClose: () => void
}

/** The address, the events, and which devices they come from. */
export function WebhookForm({ webhook, draft, action, onSubmit, onClose }: WebhookFormProps) {
  const form = useForm<Values>({ initialValues: draft.start, onValuesChange: draft.keep })
  const { kind, mqtt } = form.values
  const send = async () => {
    await onSubmit(bodyOf(form.getValues()))
    draft.forget()
  }
  const close = () => {
    draft.forget()
    onClose()
  }
  return (
    <Form action={action} onSubmit={send} onClose={close}>
      {(errorOf) => {
        const inputOf: InputOf = (name, options) => ({
          ...form.getInputProps(name, options),
          error: errorOf(name),
        })
        return (
          <>
            <DraftNotice
              draft={draft}
              hasSecrets={kind === 'broker'}
              onStartOver={form.setValues}
            />
            <TextInput label={t('Name')} required data-autofocus {...inputOf('name')} />
            <SegmentedControl
              aria-label={t('Where events go')}
              data={[
                { value: 'server', label: t('To a server') },
                { value: 'broker', label: t('To an MQTT broker') },
              ]}
              {...form.getInputProps('kind')}
            />
            <TextInput
              label={t('Address')}
              {...addressWords[kind]}
              required
              {...form.getInputProps('url')}
              // A broker's fields at the address of a server: the address is what to change.
              error={errorOf('url', 'mqtt')}
            />
            {kind === 'broker' && (
              <BrokerFields
                stored={webhook?.mqtt}
                hasDiscovery={mqtt.discovery}
                inputOf={inputOf}
              />
            )}
            <Checkbox.Group label={t('Events')} required {...inputOf('events')}>
              <Stack gap="xs" mt="xs">
                {eventChoices.map(({ value, label, what }) => (
                  <Checkbox key={value} value={value} label={label} description={what} />
                ))}
              </Stack>
            </Checkbox.Group>
            <DeviceFields inputOf={inputOf} />
          </>
        )
      }}
    </Form>
  )
}

export function valuesOf(webhook: Webhook | undefined): Values {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['uplink'],
    group: textOf(webhook?.group),
    type: textOf(webhook?.type),
    network: webhook?.network ?? null,
    tag: webhook?.tag ?? '',
    kind: webhook?.mqtt ? 'broker' : 'server',
    mqtt: brokerValuesOf(webhook?.mqtt),
  }
}

const addressWords = {
  server: {
    description: t("Your server's, with https://. The secret of the signature comes next."),
    placeholder: 'https://example.com/lora',
  },
  broker: {
    description: t("Your broker's, with mqtts:// or wss://."),
    placeholder: 'mqtts://broker.example.com:8883',
  },
}

/** Narrows the devices: all of them without a choice. */
function DeviceFields({ inputOf }: { inputOf: InputOf }) {
  const groups = useGroupChoices()
  const types = useTypeChoices()
  const networks = useApi('GET /fleet/networks', {})
  const shared = { placeholder: t('All'), clearable: true, searchable: true }
  return (
    <>
      <Select
        label={t('Devices of the group')}
        description={t('And of the groups below it.')}
        data={groups}
        {...shared}
        {...inputOf('group')}
      />
      <Select label={t('Of the type')} data={types} {...shared} {...inputOf('type')} />
      <Select
        label={t('At the network')}
        data={(networks.data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }))}
        {...shared}
        {...inputOf('network')}
      />
      <TagChoiceField {...inputOf('tag')} />
    </>
  )
}

function bodyOf({ group, type, kind, mqtt, ...values }: Values) {
  const broker = kind === 'broker' ? { mqtt: brokerBodyOf(mqtt) } : {}
  return { ...values, ...broker, group: numberOf(group), type: numberOf(type) }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

function textOf(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}
