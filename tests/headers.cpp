// The precompiled headers of all tests belong to this file.
