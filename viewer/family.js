// family
