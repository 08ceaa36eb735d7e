import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keyOf, queryClient, useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import type { FleetGateway } from './gateway-query.ts'

/** Edit and delete. */
export function GatewayActions({ gateway }: { gateway: FleetGateway }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const navigate = useNavigate()
  const close = () => setOpen(undefined)
  const remove = async () => {
    await call('DELETE /gateways/{gateway_id}', { path: { gateway_id: String(gateway.id) } })
    await queryClient.invalidateQueries({ queryKey: keyOf('GET /fleet/gateways') })
    tellSuccess(t('{name} is deleted.', { name: gateway.name }))
    await navigate({ to: '/gateways' })
  }
  return (
    <>
      <ActionButton variant="default" needs="manage_gateways" onClick={() => setOpen('edit')}>
        {t('Edit')}
      </ActionButton>
      <ActionButton
        variant="default"
        c="var(--state-bad)"
        needs="manage_gateways"
        onClick={() => setOpen('delete')}
      >
        {t('Delete')}
      </ActionButton>
      {open === 'edit' && <EditDialog gateway={gateway} onClose={close} />}
      <Confirm
        opened={open === 'delete'}
        title={t('Delete {name}?', { name: gateway.name })}
        action={t('Delete gateway')}
        onConfirm={remove}
        onClose={close}
      >
        {gateway.network.key === 'other'
          ? t('Its token ends, and its uplinks are refused from then on.')
          : t('It is also deleted at {name}.', { name: gateway.network.name })}{' '}
        {t('Its devices and their uplinks stay. Its counters and its place are lost.')}
      </Confirm>
    </>
  )
}

function EditDialog({ gateway, onClose }: { gateway: FleetGateway; onClose: () => void }) {
  const [name, setName] = useState(gateway.name)
  const [ip, setIp] = useState(gateway.ip ?? '')
  const change = useAction('PATCH /gateways/{gateway_id}', {
    invalidates: ['GET /fleet/gateways', 'GET /fleet/gateways/{gateway_id}'],
  })
  const save = async () => {
    const path = { gateway_id: String(gateway.id) }
    await change.mutateAsync({ path, body: { gateway_name: name, gateway_ip: ip || null } })
    tellSuccess(t('Gateway saved.'))
    onClose()
  }
  return (
    <FormDialog
      title={t('Edit gateway')}
      action={t('Save')}
      needs="manage_gateways"
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label={t('Name')}
            description={
              gateway.network.key === 'other'
                ? undefined
                : t('It is also changed at {name}', { name: gateway.network.name })
            }
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('gateway_name')}
            data-autofocus
          />
          <TextInput
            label={t('IP address')}
            value={ip}
            onChange={(event) => setIp(event.currentTarget.value)}
            error={errorOf('gateway_ip')}
          />
        </>
      )}
    </FormDialog>
  )
}
