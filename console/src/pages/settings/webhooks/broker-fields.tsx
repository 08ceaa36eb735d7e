import { Checkbox, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import type { Webhook } from './webhook-words.ts'

export interface BrokerValues {
  topic: string
  retain: boolean
  discovery: boolean
  discovery_prefix: string
  username: string
  /** Empty: what is stored stays. */
  password: string
  ca_certificate: string
  client_certificate: string
  /** As the password. */
  client_key: string
}

const usualTopic = 'lora/{organization}/{device}/{event}'
const usualPrefix = 'homeassistant'

export function brokerValuesOf(mqtt: Webhook['mqtt'] | undefined): BrokerValues {
  return {
    topic: mqtt?.topic ?? usualTopic,
    retain: mqtt?.retain ?? false,
    discovery: mqtt?.discovery ?? false,
    discovery_prefix: mqtt?.discovery_prefix ?? usualPrefix,
    username: mqtt?.username ?? '',
    password: '',
    ca_certificate: mqtt?.ca_certificate ?? '',
    client_certificate: mqtt?.client_certificate ?? '',
    client_key: '',
  }
}

/** The member `mqtt` of a request. */
export function brokerBodyOf({ password, client_key, ...values }: BrokerValues) {
  return {
    ...values,
    ...(password === '' ? {} : { password }),
    ...(client_key === '' ? {} : { client_key }),
  }
}

/** What an input of the form needs: its value, what changes it, and what is wrong with it. */
export type InputOf = (name: string, options?: { type: 'checkbox' }) => object

interface BrokerFieldsProps {
  stored: Webhook['mqtt'] | undefined
  hasDiscovery: boolean
  inputOf: InputOf
}

/** How to publish at a broker. */
export function BrokerFields({ stored, hasDiscovery, inputOf }: BrokerFieldsProps) {
  const hasCertificates = Boolean(stored?.ca_certificate || stored?.client_certificate)
  const [isOpen, setOpen] = useState(hasCertificates)
  return (
    <>
      <TextInput
        label={t('Topic')}
        description={t('In braces: organization, device, device_name, type, network, event.')}
        {...inputOf('mqtt.topic')}
      />
      <Checkbox
        label={t('Retain')}
        description={t('The broker keeps the last message of each topic.')}
        {...inputOf('mqtt.retain', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('Home Assistant discovery')}
        description={t(
          'Home Assistant finds the devices by itself. Retain keeps their state over its restarts.',
        )}
        {...inputOf('mqtt.discovery', { type: 'checkbox' })}
      />
      {hasDiscovery && (
        <TextInput
          label={t('Discovery prefix')}
          description={t("As in Home Assistant's MQTT settings.")}
          {...inputOf('mqtt.discovery_prefix')}
        />
      )}
      <TextInput label={t('User name')} autoComplete="off" {...inputOf('mqtt.username')} />
      <PasswordInput
        label={t('Password')}
        autoComplete="new-password"
        placeholder={stored?.has_password ? t('Unchanged') : undefined}
        {...inputOf('mqtt.password')}
      />
      <Checkbox
        label={t('Own certificates')}
        description={t('Of a broker that no public authority knows, or that asks for one.')}
        checked={isOpen}
        onChange={(event) => setOpen(event.currentTarget.checked)}
      />
      {isOpen && <Certificates stored={stored} inputOf={inputOf} />}
    </>
  )
}

function Certificates({ stored, inputOf }: Pick<BrokerFieldsProps, 'stored' | 'inputOf'>) {
  const shared = { autosize: true, minRows: 2, maxRows: 6, spellCheck: false }
  return (
    <Stack>
      <Textarea label={t('CA certificate (PEM)')} {...shared} {...inputOf('mqtt.ca_certificate')} />
      <Textarea
        label={t('Client certificate (PEM)')}
        {...shared}
        {...inputOf('mqtt.client_certificate')}
      />
      <Textarea
        label={t('Client key (PEM)')}
        placeholder={stored?.has_client_key ? t('Unchanged') : undefined}
        {...shared}
        {...inputOf('mqtt.client_key')}
      />
    </Stack>
  )
}
