# SPDX-License-Identifier: Apache-2.0
"""How the bundled text pipeline is trained and measured; nothing here is needed to use it."""
