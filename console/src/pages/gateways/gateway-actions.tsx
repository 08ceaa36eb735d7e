import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keyOf, queryClient, useAction } from '../../api/hooks.ts'
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
    tellSuccess(`${gateway.name} is deleted.`)
    await navigate({ to: '/gateways' })
  }
  return (
    <>
      <ActionButton variant="default" needs="manage_gateways" onClick={() => setOpen('edit')}>
        Edit
      </ActionButton>
      <ActionButton
        variant="default"
        c="var(--state-bad)"
        needs="manage_gateways"
        onClick={() => setOpen('delete')}
      >
        Delete
      </ActionButton>
      {open === 'edit' && <EditDialog gateway={gateway} onClose={close} />}
      <Confirm
        opened={open === 'delete'}
        title={`Delete ${gateway.name}?`}
        action="Delete gateway"
        onConfirm={remove}
        onClose={close}
      >
        {gateway.network.key === 'other'
          ? 'Its token ends, and its uplinks are refused from then on.'
          : `It is also deleted at ${gateway.network.name}.`}{' '}
        Its devices and their uplinks stay. Its counters and its place are lost.
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
    tellSuccess('Gateway saved.')
    onClose()
  }
  return (
    <FormDialog
      title="Edit gateway"
      action="Save"
      needs="manage_gateways"
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Name"
            description={
              gateway.network.key === 'other'
                ? undefined
                : `It is also changed at ${gateway.network.name}`
            }
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('gateway_name')}
            data-autofocus
          />
          <TextInput
            label="IP address"
            value={ip}
            onChange={(event) => setIp(event.currentTarget.value)}
            error={errorOf('gateway_ip')}
          />
        </>
      )}
    </FormDialog>
  )
}
