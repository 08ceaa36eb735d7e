import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import { type Permission, useMay } from '../session/session.ts'

interface ActionButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** The permission that the action needs. */
  needs?: Permission
  /** Why the action cannot be done now; undefined when it can. */
  blockedBy?: string | undefined
  type?: 'button' | 'submit'
  onClick?: () => void
  children: ReactNode
}

const permissionNames: Record<Permission, string> = {
  manage_account: t('to manage the account'),
  manage_devices: t('to manage devices'),
  manage_gateways: t('to manage gateways'),
  manage_groups: t('to manage groups'),
  manage_widget_dashboard: t('to manage dashboards and floor plans'),
}

/** A button that says why it cannot be pressed. It stays focusable, so that the reason is heard. */
export function ActionButton(props: ActionButtonProps) {
  const { needs, blockedBy, onClick, type = 'button', children, ...rest } = props
  const reason = useReason(needs) ?? blockedBy
  if (reason === undefined) {
    return (
      <Button {...rest} type={type} onClick={onClick}>
        {children}
      </Button>
    )
  }
  return (
    <Tooltip label={reason}>
      <Button
        {...rest}
        type={type}
        data-disabled
        aria-disabled
        title={reason}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

/** Why the user may not do it; undefined when they may. */
export function useReason(needs: Permission | undefined): string | undefined {
  const may = useMay(needs ?? 'manage_devices')
  if (!needs || may) return undefined
  return t('You have no permission {needs}. An owner can give it to you.', {
    needs: permissionNames[needs],
  })
}
