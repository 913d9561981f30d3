/** What API servers take as names of namespaces and accounts (RFC 1123, label). */
export const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What they take as the value of a label; ours are never empty. */
export const LABEL_VALUE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
/** An image by its digest. */
export const DIGEST_REFERENCE = /^[a-z0-9][a-z0-9._:/-]{0,400}@sha256:[0-9a-f]{64}$/;
