import { Alert, Code, CopyButton, Group, List, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import type { GatewayDetails } from './gateway-query.ts'
import classes from './gateways.module.css'

/** How the gateway is connected: by itself, or by its network. */
export function GatewaySetup({ gateway }: { gateway: GatewayDetails }) {
  if (gateway.network.key === 'other') return <OtherSetup gateway={gateway} />
  const settings = Object.entries(gateway.settings)
  return (
    <Stack>
      <Text size="sm">
        {t(
          "The gateway itself is connected to {name}: enter the addresses and keys of your {name} in the gateway's own settings. This service needs nothing of it.",
          { name: gateway.network.name },
        )}
      </Text>
      {settings.length > 0 && <Facts rows={settings} />}
    </Stack>
  )
}

function OtherSetup({ gateway }: { gateway: GatewayDetails }) {
  const { data, error, refetch } = useApi('GET /gateways/{gateway_id}', {
    path: { gateway_id: String(gateway.id) },
  })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={3} />
  const { download_link: address, authorisation_token: token } = data.gateway_configs
  return (
    <Stack>
      <Text size="sm" component="div">
        {t('Enter these in the gateway, as the destination of its uplinks:')}
        <List type="ordered" size="sm" mt={4}>
          <List.Item>{t('MultiTech: the HTTP integration of its app-connect.')}</List.Item>
          <List.Item>
            {t('Milesight: Network Server, Applications, HTTP data transmission.')}
          </List.Item>
          <List.Item>{t('Tektelic: the HTTP integration of its network server.')}</List.Item>
        </List>
      </Text>
      <Facts
        rows={[
          [t('Method'), 'POST, JSON'],
          [t('Address'), <Copied key="address" text={address} label={t('address')} />],
          [
            t('Header'),
            token === null ? (
              t(
                'Authorization: Bearer, with the token, which needs the permission to manage gateways to see',
              )
            ) : (
              <Copied
                key="token"
                text={t('Authorization: Bearer {token}', { token })}
                label={t('header')}
                isSecret
              />
            ),
          ],
        ]}
      />
      <NewToken gatewayId={gateway.id} />
    </Stack>
  )
}

interface CopiedProps {
  text: string
  label: string
  isSecret?: boolean
}

function Copied({ text, label, isSecret = false }: CopiedProps) {
  const [isShown, setShown] = useState(!isSecret)
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className={classes.code}>{isShown ? text : '•'.repeat(24)}</Code>
      {!isShown && (
        <ActionButton size="compact-xs" variant="default" onClick={() => setShown(true)}>
          {t('Show')}
        </ActionButton>
      )}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionButton size="compact-xs" variant="default" onClick={copy}>
            {copied ? t('Copied') : t('Copy {label}', { label })}
          </ActionButton>
        )}
      </CopyButton>
    </Group>
  )
}

function NewToken({ gatewayId }: { gatewayId: number }) {
  const [isAsking, setAsking] = useState(false)
  const [endsFormer, setEndsFormer] = useState(false)
  const rotate = useAction('POST /gateways/{gateway_id}/rotate-token', {
    invalidates: ['GET /gateways/{gateway_id}'],
  })
  const made = rotate.data?.data.authorisation_token
  return (
    <>
      <Group>
        <ActionButton
          variant="default"
          needs="manage_gateways"
          onClick={() => {
            rotate.reset()
            setAsking(true)
          }}
        >
          {t('Make another token')}
        </ActionButton>
      </Group>
      {made && (
        <Alert variant="outline" color="accent" title={t('The new token')} role="status">
          <Copied text={t('Authorization: Bearer {made}', { made })} label={t('new header')} />
          <Text size="sm" mt="xs">
            {t('Enter it in the gateway now. ')}
            {endsFormer
              ? t('The former tokens have ended.')
              : t('The old one works for 24 more hours.')}
          </Text>
        </Alert>
      )}
      <Confirm
        opened={isAsking}
        title={t('Make another token?')}
        action={t('Make token')}
        onConfirm={() =>
          rotate.mutateAsync({
            path: { gateway_id: String(gatewayId) },
            body: { end_former: endsFormer },
          })
        }
        onClose={() => setAsking(false)}
      >
        <Stack gap="sm">
          {t('The gateway needs the new token within 24 hours: so long the old one stays valid.')}
          <Switch
            label={t('End the old tokens at once')}
            description={t(
              'For a token that others may have seen. Uplinks are refused until the gateway has the new one.',
            )}
            checked={endsFormer}
            onChange={(event) => setEndsFormer(event.currentTarget.checked)}
          />
        </Stack>
      </Confirm>
    </>
  )
}
