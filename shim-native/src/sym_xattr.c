/* Extended attributes: a device node here has none. */
#include <sys/xattr.h>

#include "device.h"
#include "place.h"

#define DEFINE_GETXATTR(name, follow)                                             \
	EXPORT ssize_t name(const char *path, const char *attribute,        \
			    void *value, size_t size)                       \
	{                                                                   \
		ssize_t result = REAL(name)(path, attribute, value, size);  \
									    \
		if (!place_after(result, AT_FDCWD, path, follow))           \
			return result;                                      \
		return answer(-ENODATA);                                    \
	}

#define DEFINE_LISTXATTR(name, follow)                                            \
	EXPORT ssize_t name(const char *path, char *list, size_t size)      \
	{                                                                   \
		ssize_t result = REAL(name)(path, list, size);              \
									    \
		if (!place_after(result, AT_FDCWD, path, follow))           \
			return result;                                      \
		return 0;                                                   \
	}

DEFINE_GETXATTR(getxattr, true)
DEFINE_GETXATTR(lgetxattr, false)
DEFINE_LISTXATTR(listxattr, true)
DEFINE_LISTXATTR(llistxattr, false)
