import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, forwardRef } from 'react'
import { basePath } from '../api/client.ts'
import { findOrganization, knownSession } from '../session/known-session.ts'
import { barOf } from '../session/page-access.ts'

type Native<P> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P>

/** A link to a page of the console, checked by the router's types. */
export const Link = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps & Native<AnchorProps>>((props, ref) => (
    <Anchor ref={ref} {...props} />
  )),
)

/** The same as a button; nothing where the user has no use for the page. */
export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps & Native<ButtonProps>>((props, ref) =>
    isBarred(props.href) ? null : <Button ref={ref} component="a" {...props} />,
  ),
)

function isBarred(href = ''): boolean {
  const session = knownSession()
  const organization = session && findOrganization(session)
  const [path = ''] = href.slice(basePath.length).split('?')
  return organization ? barOf(organization, path) !== undefined : false
}
