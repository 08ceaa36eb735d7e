import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, forwardRef } from 'react'

type Native<P> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P>

/** A link to a page of the console, checked by the router's types. */
export const Link = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps & Native<AnchorProps>>((props, ref) => (
    <Anchor ref={ref} {...props} />
  )),
)

/** The same as a button. */
export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps & Native<ButtonProps>>((props, ref) => (
    <Button ref={ref} component="a" {...props} />
  )),
)
