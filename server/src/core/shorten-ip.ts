const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i

/** The network part only: '203.0.113.x', or the first three groups of an IPv6 address. */
export function shortenIp(ip: string): string {
  const plain = ip.replace(IPV4_IN_IPV6, '')
  if (!plain.includes(':')) return plain.replace(/\.\d+$/, '.x')
  const [head = ''] = plain.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::x`
}
