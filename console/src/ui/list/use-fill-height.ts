import { type RefObject, useLayoutEffect } from 'react'

/** What stays free below, and the least height, in pixels. */
const margin = 16
const leastHeight = 320

/**
 * Gives an element the height that is left in the browser's window below its top, or that of its
 * content if that is less. `below` stays free for what stands below it.
 */
export function useFillHeight(
  element: RefObject<HTMLElement | null>,
  content: number,
  below: number,
  isOn: boolean,
): void {
  useLayoutEffect(() => {
    const target = element.current
    if (!target || !isOn) return
    const fit = () => {
      const top = target.getBoundingClientRect().top + scrollY
      const height = Math.min(content, Math.max(leastHeight, innerHeight - top - margin - below))
      target.style.height = `${Math.round(height)}px`
    }
    fit()
    // What stands above it can change its height, such as a line of filters.
    const observer = new ResizeObserver(fit)
    observer.observe(document.body)
    if (target.parentElement) observer.observe(target.parentElement)
    addEventListener('resize', fit)
    return () => {
      observer.disconnect()
      removeEventListener('resize', fit)
    }
  }, [element, content, below, isOn])
}
