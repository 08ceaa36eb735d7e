/** A codec whose results would run as script, or widen a page, if they were not text. */
export const hostileCodec = `function decodeUplink(input) {
  return {
    data: {
      eventDescription: "<img src=x onerror=\\"window.harmed='codec'\\">",
      "<script>window.harmed='key'</script>": input.bytes[0],
      ${'wide'.repeat(40)}: 1,
      text: "${'x'.repeat(400)}",
      nested: { deep: ["<b>", { deeper: null }] },
    },
  };
}`
